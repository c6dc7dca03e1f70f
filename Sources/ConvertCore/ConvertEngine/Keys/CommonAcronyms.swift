/// The acronyms of `common` in a profile.
package enum CommonAcronyms {
    package static let name = "common"

    static let all = [
        "API", "CPU", "CSS", "CSV", "DNS", "GPS", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "ISO", "JSON", "JWT",
        "MIME", "OS", "PDF",
        "PIN", "QR", "RAM", "REST", "SDK", "SKU", "SMS", "SQL", "SSH", "SSL", "SSO", "TCP", "TLS", "TTL", "UDP", "UI",
        "URI", "URL",
        "URN", "UTC", "UUID", "VAT", "VIN", "XML",
    ]

    /// The list with `common` replaced by the common acronyms, after the list's own ones.
    package static func expanded(_ list: [String]) -> [String] {
        guard list.contains(name) else { return list }
        let own = list.filter { $0 != name }
        return own + all.filter { !own.contains($0) }
    }
}
