"""Compares the reference with the examples in the specification. Run: python3 -m unittest discover Tests/reference"""

import datetime
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from convert_reference import convert, invert
from date_forms import week_date
from instants import civil, days, weekday
from json_text import pointer
from key_words import CaseRule
from profile_rules import BadProfile, Profile
from selectors import BadSelector, Selector


def run(profile, text, lines=False):
    """The output text, or the list of (code, pointer) of the certain errors."""
    output, errors = convert(Profile(json.dumps(profile)), text.encode(), lines)
    if output is None:
        return sorted({(code, pointer(path)) for code, path in errors.certain})
    return output.decode("utf-8", "surrogatepass")


def dated(value, **rule):
    return json.loads(run({"dates": {"at": "/d", **rule}}, json.dumps({"d": value})))["d"]


class KeyTests(unittest.TestCase):
    def test_words(self):
        rows = [
            ("snake_case", "XMLHttpRequest", "xml_http_request"), ("snake_case", "userID", "user_id"),
            ("snake_case", "address1", "address1"), ("snake_case", "md5Hash", "md5_hash"),
            ("snake_case", "99Bottles", "99_bottles"), ("snake_case", "foo__bar", "foo_bar"),
            ("snake_case", "имяПользователя", "имя_пользователя"), ("camelCase", "myABBRKey", "myAbbrKey"),
            ("camelCase", "_id", "_id"), ("camelCase", "__typename", "__typename"), ("PascalCase", "$ref", "$Ref"),
            ("snake_case", "items[]", "items[]"), ("snake_case", "dc:titleText", "dc:titleText"),
            ("camelCase", "a_b@b.com", "a_b@b.com"), ("camelCase", "123_456", "123_456"),
            ("flatcase", "550E8400-e29b-41d4-a716-446655440000", "550E8400-e29b-41d4-a716-446655440000"),
            ("Train-Case", "fooBar", "Foo-Bar"), ("dot.case", "fooBar", "foo.bar"), ("flatcase", "foo_Bar", "foobar"),
            ("SCREAMING_SNAKE_CASE", "straße", "STRASSE"), ("PascalCase", "ßa", "Ssa"),
            ("camelCase", " foo_bar ", "fooBar"), ("preserve", " foo_bar ", " foo_bar "),
        ]
        for target, key, expected in rows:
            self.assertEqual(CaseRule(target).converted(key), expected, (target, key))

    def test_acronyms(self):
        rows = [
            ("title", "imageURLs", "imageUrls"), ("asListed", "imageURLs", "imageURLs"),
            ("asListed", "imageURLPath", "imageURLPath"), ("title", "userIDURL", "userIdUrl"),
            ("asListed", "URLPath", "urlPath"), ("asListed", "user_id", "userID"), ("asListed", "avatarUrls", "avatarURLs"),
            ("asListed", "id_url", "idURL"), ("asListed", "user_idea", "userIdea"), ("title", "user_id", "userId"),
        ]
        for style, key, expected in rows:
            self.assertEqual(CaseRule("camelCase", ["ID", "URL"], style).converted(key), expected, key)
        self.assertEqual(CaseRule("snake_case", ["ID"]).converted("userIDnumber"), "user_i_dnumber")

    def test_except_and_opaque(self):
        profile = {"keys": {"case": "camelCase", "except": ["_links_x"], "opaque": ["/some_map"]}}
        text = '{"_links_x":{"a_b":1},"some_map":{"en_GB":{"a_b":2}}}'
        self.assertEqual(run(profile, text), '{"_links_x":{"aB":1},"someMap":{"en_GB":{"a_b":2}}}')


class SelectorTests(unittest.TestCase):
    def test_matching(self):
        rows = [
            ("/a", ("a",), True), ("/a", ("b", "a"), False), ("/a/*/b", ("a", 3, "b"), True), ("/a/0", ("a", 0), True),
            ("/a/0", ("a", "0"), True), ("/**/b", ("b",), True), ("/**/b", ("a", 1, "b"), True), ("/a/**", ("a",), True),
            ("b", ("a", "b"), True), ("*_at", ("x", "created_at"), True), ("a.b", ("a.b",), True), ("a.b", ("a", "b"), False),
            ("/a~1b~0c~2", ("a/b~c*",), True), ("~2", ("*",), True), ("~2", ("a",), False), ("/", ("",), True),
        ]
        for source, path, expected in rows:
            self.assertEqual(Selector(source).matches(path), expected, (source, path))

    def test_refused(self):
        for source in ["", "~3", "a~", "/a*", "/***"]:
            with self.assertRaises(BadSelector, msg=source):
                Selector(source)

    def test_conflicts(self):
        for rename in [{"/*/b": "x", "/a/*": "y"}, {"a*": "x", "*b": "y"}, {"/**/b": "x", "/a/**": "y"}]:
            with self.assertRaises(BadProfile):
                Profile(json.dumps({"rename": rename}))
        Profile(json.dumps({"rename": {"/*/b": "x", "/a/*": "x", "/a": "z", "a": "y"}}))

    def test_most_specific(self):
        profile = {"keys": "camelCase", "rename": {"a_*": "g", "a_b": "n", "/**/a_b": "d", "/x/*": "s", "/x/a_b": "p"}}
        self.assertEqual(run(profile, '{"x":{"a_b":1,"a_c":2},"y":{"a_b":3},"a_d":4,"z_z":5}'),
                         '{"x":{"p":1,"s":2},"y":{"d":3},"g":4,"zZ":5}')

    def test_swap(self):
        self.assertEqual(run({"rename": {"a": "b", "b": "a"}}, '{"a":1,"b":2}'), '{"b":1,"a":2}')


class CalendarTests(unittest.TestCase):
    def test_the_calendar_is_the_standard_librarys(self):
        for ordinal in [*range(1, 800), *range(580_000, 790_000, 13), *range(3_651_000, 3_652_060)]:
            day = datetime.date.fromordinal(ordinal)
            number = days(day.year, day.month, day.day)
            self.assertEqual(number, ordinal - datetime.date(1970, 1, 1).toordinal())
            self.assertEqual(civil(number), (day.year, day.month, day.day))
            self.assertEqual(weekday(number), day.weekday())
            year, week, week_day = day.isocalendar()
            if year < 10_000:
                self.assertEqual(week_date(f"{year:04d}-W{week:02d}-{week_day}").seconds, number * 86_400)


class DateTests(unittest.TestCase):
    def test_auto(self):
        rows = [
            ("2024-01-02T03:04:05+01:00", "2024-01-02T02:04:05Z"), ("2024-01-02t03:04z", "2024-01-02T03:04:00Z"),
            ("2024-01-02 03:04:05,1239999999Z", "2024-01-02T03:04:05.123999999Z"),
            ("20240102T030405Z", "2024-01-02T03:04:05Z"), ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("6 Nov 1994 08:49 EST", "1994-11-06T13:49:00Z"), ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("/Date(-1+0100)/", "1969-12-31T23:59:59.999Z"), (1700000000, "2023-11-14T22:13:20Z"),
            (1700000000123, "2023-11-14T22:13:20.123Z"), ("1700000000", "2023-11-14T22:13:20Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("2024-02-28T24:00:00Z", "2024-02-29T00:00:00Z"),
        ]
        for value, expected in rows:
            self.assertEqual(dated(value), expected, value)

    def test_bad(self):
        for value in ["2023-02-29T00:00:00Z", "2023-01-01T00:00:00Z junk", "Mon, 06 Nov 1994 08:49:37 GMT", "x", True, {},
                      "2024-01-02", "2024-01-02T03:04:05", "20240102030405", 10**20, "2024-01-02T03:04:05+18:01",
                      "2024-05-05T12:00:60Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "12345678"]:
            result = run({"dates": {"at": "/d"}}, json.dumps({"d": value}))
            self.assertEqual(result, [("badValue", "/d")], value)

    def test_zones(self):
        paris = {"assumeZone": "Europe/Paris"}
        self.assertEqual(dated("2024-03-31 02:30:00", **paris), "2024-03-31T01:30:00Z")
        self.assertEqual(dated("2024-10-27 02:30:00", **paris), "2024-10-27T00:30:00Z")
        self.assertEqual(dated("2024-07-01", **paris), "2024-06-30T22:00:00Z")
        self.assertEqual(dated("2024-07-01", to="date", **paris), "2024-07-01")
        self.assertEqual(dated("2024-W01-1", to="date"), "2024-01-01")
        self.assertEqual(dated("2024-366", to="date"), "2024-12-31")
        self.assertEqual(dated("2024-07-01T12:00:00Z", zone="Asia/Kolkata"), "2024-07-01T17:30:00+05:30")

    def test_outputs(self):
        rows = [
            ("epoch-s", 1700000000), ("epoch-ms", 1700000000650), ("http-date", "Tue, 14 Nov 2023 22:13:20 GMT"),
            ("rfc2822", "Tue, 14 Nov 2023 22:13:20 +0000"), ("dotnet-json", "/Date(1700000000650)/"),
            ("rfc3339", "2023-11-14T22:13:20.65Z"), ({"pattern": "dd/MM/yyyy HH:mm"}, "14/11/2023 22:13"),
        ]
        for target, expected in rows:
            self.assertEqual(dated("2023-11-14T22:13:20.650Z", to=target), expected, target)
        self.assertEqual(dated("2023-11-14T22:13:20.659Z", precision=1), "2023-11-14T22:13:20.6Z")
        self.assertEqual(dated(-1, **{"from": "epoch-ms", "to": "epoch-s"}), -1)

    def test_scan_leaves_everything_else(self):
        text = '["2024-01-02",1700000000,"2024-01-02T03:04:05","Sun Nov  6 08:49:37 1994","2024-01-02 03:04:05.50Z"]'
        self.assertEqual(run({"dates": "rfc3339"}, text), text.replace("2024-01-02 03:04:05.50Z", "2024-01-02T03:04:05.5Z"))


class FidelityTests(unittest.TestCase):
    def test_everything_else_is_kept(self):
        text = r'{"b":1.10,"a":12345678901234567890,"c":1E400,"d":[],"e":{},"f":"\u00e9\/","\u0061x":-0}'
        self.assertEqual(run({"keys": "camelCase"}, text), text)
        self.assertEqual(run({}, " [ 1 , 2 ] "), "[1,2]")

    def test_escapes(self):
        text = r'"\u00E9\/\ud83d\ude00\u0001\ud800\u007f"'
        self.assertEqual(run({"output": {"escapes": "minimal"}}, text), '"é/😀\\u0001\\ud800\x7f"')
        self.assertEqual(run({"output": {"escapes": "ascii"}}, text), '"\\u00e9/\\ud83d\\ude00\\u0001\\ud800\x7f"')

    def test_indent(self):
        self.assertEqual(run({"output": {"indent": 2}}, '{"a":[1,{}],"b":[]}'),
                         '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}')

    def test_lines(self):
        self.assertEqual(run({}, '\ufeff{"a": 1}\r\n\n  \n[2]', lines=True), '{"a":1}\n[2]\n')
        self.assertEqual(run({}, "1 2", lines=True), [("json", "")])
        self.assertEqual(run({}, "", lines=True), "")


class ClashTests(unittest.TestCase):
    def test_collisions(self):
        text = '{"a_b":1,"x":0,"aB":2}'
        self.assertEqual(run({"keys": "camelCase"}, text), [("collision", "/aB")])
        for policy, expected in [("first", '{"aB":1,"x":0}'), ("last", '{"x":0,"aB":2}'), ("keep", '{"aB":1,"x":0,"aB":2}')]:
            self.assertEqual(run({"keys": "camelCase", "on": {"collision": policy}}, text), expected)

    def test_duplicates(self):
        text = '{"a":1,"b":{"\\u0061":0},"a":2}'
        self.assertEqual(run({}, text), [("duplicateKey", "/a")])
        for policy, expected in [("first", '{"a":1,"b":{"\\u0061":0}}'), ("last", '{"b":{"\\u0061":0},"a":2}'),
                                 ("keep", text)]:
            self.assertEqual(run({"on": {"duplicateKey": policy}}, text), expected)

    def test_equal_names_never_collide(self):
        on = {"duplicateKey": "keep", "collision": "first"}
        self.assertEqual(run({"keys": "camelCase", "on": on}, '{"a_b":1,"aB":2,"a_b":3}'), '{"aB":1,"aB":3}')


class ShapeTests(unittest.TestCase):
    def test_keep_and_drop(self):
        profile = {"keep": ["/orders/**"], "drop": ["/**/password"]}
        self.assertEqual(run(profile, '{"x":1,"orders":[{"id":1,"password":2}]}'), '{"orders":[{"id":1}]}')

    def test_move_defaults_prune(self):
        self.assertEqual(run({"move": {"/content/headline": "/headline"}, "prune": {"emptyObject": True}},
                             '{"content":{"headline":"h"},"id":1}'), '{"id":1,"headline":"h"}')
        self.assertEqual(run({"move": {"/items/*/content/author/name": "/items/*/author"}},
                             '{"items":[{"content":{"author":{"name":"N"}}}]}'),
                         '{"items":[{"content":{"author":{}},"author":"N"}]}')
        self.assertEqual(run({"defaults": {"/currency": "EUR"}, "prune": {"null": True}}, '{"currency":null}'),
                         '{"currency":"EUR"}')

    def test_values(self):
        rows = [
            ({"as": "string"}, "1.10", '"1.10"'), ({"as": "number"}, '"1.10"', "1.10"), ({"as": "boolean"}, '"true"', "true"),
            ({"as": "json"}, '"[1, 2]"', "[1,2]"), ({"map": {"0": "inactive"}}, "0", '"inactive"'),
            ({"as": "url", "relativeTo": "http://www.google.com"}, '"http://www.google.com/a"', '"/a"'),
        ]
        for rule, value, expected in rows:
            self.assertEqual(run({"values": [{"at": "/v", **rule}]}, '{"v":%s}' % value), '{"v":%s}' % expected)
        self.assertEqual(run({"values": {"at": "v", "as": "integer"}}, '{"v":1.0}'), [("badValue", "/v")])

    def test_require_and_records(self):
        self.assertEqual(run({"require": ["/items/*/id"]}, '{"items":[{"id":null},{}]}'), [("require", "/items/1/id")])
        profile = {"require": ["/items/*/id"], "records": {"at": "/items/*", "onError": "skip"}}
        self.assertEqual(run(profile, '{"items":[{"id":1,"id":2},{"id":3}]}'), '{"items":[{"id":3}]}')


class InverseTests(unittest.TestCase):
    def back(self, profile, text):
        output, errors = invert(Profile(json.dumps(profile)), text.encode())
        return output.decode() if output is not None else [(code, pointer(path)) for code, path in errors.certain]

    def test_names_come_back(self):
        profile = {"keys": {"case": "camelCase", "from": "snake_case", "opaque": ["/map"]},
                   "rename": {"first_name": "fn", "/orders/*/created_at": "ca"}}
        text = '{"first_name":1,"last_name":2,"orders":[{"created_at":3}],"map":{"a_b":4}}'
        there = run(profile, text)
        self.assertEqual(there, '{"fn":1,"lastName":2,"orders":[{"ca":3}],"map":{"a_b":4}}')
        self.assertEqual(self.back(profile, there), text)

    def test_lossy_names(self):
        profile = {"keys": {"case": "camelCase", "from": "snake_case"}}
        self.assertEqual(self.back(profile, '{"pictureURL":1}'), '{"pictureURL":1}')
        self.assertEqual(self.back(profile | {"on": {"lossyKey": "error"}}, '{"pictureURL":1}'), [("lossyKey", "/pictureURL")])

    def test_values_come_back(self):
        profile = {"dates": {"at": "/d", "from": "epoch-ms"},
                   "values": [{"at": "/m", "map": {"0": "off", "x": "on"}}, {"at": "/j", "as": "json"},
                              {"at": "/u", "as": "url", "relativeTo": "http://h"}]}
        text = '{"d":1700000000123,"m":0,"j":"[1]","u":"http://h/a"}'
        there = run(profile, text)
        self.assertEqual(there, '{"d":"2023-11-14T22:13:20.123Z","m":"off","j":[1],"u":"/a"}')
        self.assertEqual(self.back(profile, there), text)


if __name__ == "__main__":
    unittest.main()
