/// Makes API-like documents of about a given size: the same bytes for the same seed, on any machine.
///
/// The documents are written out as text, so that they do not depend on any encoder.
struct PayloadGenerator {
    private var state: UInt64

    private static let words = [
        "station", "delivery", "forecast", "mapping", "order", "customer", "gateway", "update", "battery", "reading",
        "product", "confirmed", "cancelled", "shipping", "transform", "sensor",
    ]
    private static let names = [
        "Kwame Mensah", "Chloé Dubois", "李小龙", "John O'Neil", "Søren Kjær", "Иван Петров", "Ana García", "Mary Major",
    ]
    private static let cities = ["Berlin", "Kraków", "São Paulo", "Osaka", "Lyon", "Leeds"]
    private static let notes = [
        "null", #""line one\nline two \"quoted\" \\ tab\t""#, #""caf\u00e9 au lait""#, #""mapping customer gateway""#,
    ]

    init(seed: UInt64) { state = seed }

    // MARK: Documents

    /// A page of orders in one object, longer than `bytes` by less than one order.
    mutating func orderPage(bytes: Int) -> [UInt8] {
        let head = #"{"request_id":"req_\#(digits(16))","generated_at":\#(date()),"data":["#
        let orders = records(bytes: bytes - head.utf8.count, separator: ",")
        return [UInt8](
            #"\#(head)\#(orders.text)],"result_count":\#(orders.count),"trailing_note":"\#(phrase(3))"}"#.utf8)
    }

    /// One order per line, at least `bytes` in all.
    mutating func orderLines(bytes: Int) -> [UInt8] {
        [UInt8]((records(bytes: bytes, separator: "\n").text + "\n").utf8)
    }

    /// An array of RFC 3339 date-times and nothing else.
    mutating func dateArray(bytes: Int) -> [UInt8] {
        var text = "[" + date()
        while text.utf8.count < bytes { text += "," + date() }
        return [UInt8]((text + "]").utf8)
    }

    // MARK: Parts

    private mutating func records(bytes: Int, separator: String) -> (text: String, count: Int) {
        var text = order(0)
        var count = 1
        while text.utf8.count < bytes {
            text += separator + order(count)
            count += 1
        }
        return (text, count)
    }

    private mutating func order(_ index: Int) -> String {
        let items = (0..<(1 + below(3))).map { _ in lineItem() }.joined(separator: ",")
        let tags = (0..<3).map { _ in #""\#(phrase(1))""# }.joined(separator: ",")
        return #"{"id":\#(index),"id_str":"\#(1_000_000_000 + index)","type":"\#(pick(["order", "refund"]))","#
            + #""created_at":\#(date()),"updated_at":\#(date()),"is_active":\#(pick(["true", "false"])),"#
            + #""screen_name":"user_\#(digits(6))","customer_details":\#(customer()),"line_items":[\#(items)],"#
            + #""status_history":[{"status_code":\#(100 + below(500)),"changed_at":\#(date())}],"#
            + #""profile_image_url":"https://cdn.example.com/u/\#(digits(6)).png","#
            + #""internal_note":\#(pick(Self.notes)),"tag_list":[\#(tags)]}"#
    }

    private mutating func customer() -> String {
        #"{"first_name":"\#(pick(["Anna", "Ivan", "Kwame"]))","name":"\#(pick(Self.names))","#
            + #""email_address":"user\#(digits(5))@example.com","date_of_birth":"19\#(50 + below(50))-0\#(1 + below(9))-1\#(below(10))","#
            + #""billing_address":{"street_name":"Main St. \#(1 + below(200))","postal_code":"\#(digits(5))","#
            + #""city":"\#(pick(Self.cities))","geo_location":{"lat":\#(below(90)).\#(digits(6)),"lon":-\#(below(180)).\#(digits(6))}}}"#
    }

    private mutating func lineItem() -> String {
        #"{"product_id":\#(1 + below(500_000)),"unit_price":\#(below(500)).\#(digits(2)),"quantity":\#(1 + below(9)),"#
            + #""discount_rate":\#(pick(["null", "0.1", "0.05"])),"product_name":"\#(phrase(2))"}"#
    }

    /// A quoted RFC 3339 date-time: in UTC, in UTC with milliseconds, or with an offset.
    private mutating func date() -> String {
        let day = "\(2015 + below(10))-\(two(1 + below(12)))-\(two(1 + below(28)))"
        let time = "\(two(below(24))):\(two(below(60))):\(two(below(60)))"
        return #""\#(day)T\#(time)\#(pick(["Z", ".\(digits(3))Z", "+02:00"]))""#
    }

    private mutating func phrase(_ words: Int) -> String {
        (0..<words).map { _ in pick(Self.words) }.joined(separator: " ")
    }

    private mutating func digits(_ count: Int) -> String {
        (0..<count).map { _ in String(below(10)) }.joined()
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    /// A number from 0 to just below `bound`, by SplitMix64.
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
