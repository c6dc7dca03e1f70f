/// The acronyms that a profile has by the name `common`.
package enum CommonAcronyms {
    package static let name = "common"

    static let all = [
        "API", "CPU", "CSS", "CSV", "DNS", "GPS", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "ISO", "JSON", "JWT",
        "MIME", "OS", "PDF",
        "PIN", "QR", "RAM", "REST", "SDK", "SKU", "SMS", "SQL", "SSH", "SSL", "SSO", "TCP", "TLS", "TTL", "UDP", "UI",
        "URI", "URL",
        "URN", "UTC", "UUID", "VAT", "VIN", "XML",
    ]

    /// A list with the common ones in the place of their name.
    package static func expanded(_ list: [String]) -> [String] {
        guard list.contains(name) else { return list }
        let own = list.filter { $0 != name }
        return own + all.filter { !own.contains($0) }
    }
}
