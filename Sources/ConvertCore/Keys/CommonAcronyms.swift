/// The acronyms that a profile has by the name `common`.
enum CommonAcronyms {
    static let name = "common"

    static let all = [
        "API", "CPU", "CSS", "CSV", "DNS", "GPS", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "ISO", "JSON", "JWT",
        "MIME", "OS", "PDF",
        "PIN", "QR", "RAM", "REST", "SDK", "SKU", "SMS", "SQL", "SSH", "SSL", "SSO", "TCP", "TLS", "TTL", "UDP", "UI",
        "URI", "URL",
        "URN", "UTC", "UUID", "VAT", "VIN", "XML",
    ]
}
