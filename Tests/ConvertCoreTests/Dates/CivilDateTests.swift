import Testing

@testable import ConvertEngine

struct CivilDateTests {
    @Test func `days of the years 0001 to 9999 convert to numbers and back`() {
        // Counted day by day with the calendar's rules; 0001-01-01 was a Monday.
        var (year, month, day) = (1, 1, 1)
        var number = -719_162
        var weekday = 1
        var dayOfYear = 1
        var failures = 0
        while year < 10_000 {
            let date = CivilDate(year: year, month: month, day: day)
            if date.dayNumber != number || CivilDate(dayNumber: number) != date || date.weekday != weekday {
                failures += 1
            }
            if day == 1, date.dayOfYear != dayOfYear { failures += 1 }
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            (day, number, weekday, dayOfYear) = (day + 1, number + 1, (weekday + 1) % 7, dayOfYear + 1)
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month, dayOfYear) = (year + 1, 1, 1) }
        }
        #expect(failures == 0)
        // datetime.date.max.toordinal() - datetime.date(1970, 1, 1).toordinal() + 1
        #expect(number == 2_932_897)
    }

    @Test func `the calendar includes days before year 1`() {
        #expect(CivilDate(dayNumber: -719_163) == CivilDate(year: 0, month: 12, day: 31))
        #expect(CivilDate(dayNumber: -719_528) == CivilDate(year: 0, month: 1, day: 1))
        #expect(CivilDate(dayNumber: -719_529) == CivilDate(year: -1, month: 12, day: 31))
        #expect(CivilDate(year: -4, month: 2, day: 29).dayNumber == -719_528 - 4 * 365 - 1 + 59)
    }

    @Test func `days that do not exist are refused`() {
        for (year, month, day) in [
            (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0),
            (2024, 1, 32), (0, 1, 1), (10_000, 1, 1), (-1, 1, 1),
        ] {
            #expect(CivilDate(checkedYear: year, month: month, day: day) == nil)
        }
        #expect(CivilDate(checkedYear: 2000, month: 2, day: 29) != nil)
        #expect(CivilDate(checkedYear: 2023, dayOfYear: 366) == nil)
        #expect(CivilDate(checkedYear: 2024, dayOfYear: 366) == CivilDate(year: 2024, month: 12, day: 31))
    }

    @Test func `week dates are correct at the turn of the year`() {
        // ISO 8601: the first week is that of 4 January.
        let rows = [
            (2019, 1, 1, 2018, 12, 31), (2020, 53, 5, 2021, 1, 1), (2020, 53, 7, 2021, 1, 3), (2016, 1, 1, 2016, 1, 4),
            (2024, 9, 4, 2024, 2, 29),
        ]
        for (weekYear, week, weekday, year, month, day) in rows {
            let expected = CivilDate(year: year, month: month, day: day)
            #expect(CivilDate(checkedWeekYear: weekYear, week: week, weekday: weekday) == expected)
        }
        #expect(CivilDate(checkedWeekYear: 2021, week: 53, weekday: 1) == nil)
        #expect(CivilDate(checkedWeekYear: 2020, week: 54, weekday: 1) == nil)
    }
}
