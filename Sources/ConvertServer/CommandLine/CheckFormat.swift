import Text

/// How `check` writes its report.
enum CheckFormat: String, CaseIterable {
    /// Lines for people.
    case text
    /// One JSON object.
    case json
    /// SARIF 2.1.0, which code scanning services read.
    case sarif
    /// Commands of GitHub Actions, which become annotations.
    case github

    /// The report of these lines. Lines without a position and colours are for people only.
    func report(_ lines: [ReportLine], isColored: Bool) -> String {
        let findings = lines.compactMap(\.finding)
        return switch self {
        case .text: lines.map { Console.message($0.text, isColored: isColored) }.joined()
        case .json: String(decoding: Self.json(findings), as: UTF8.self) + "\n"
        case .sarif: String(decoding: Self.sarif(findings), as: UTF8.self) + "\n"
        case .github: findings.map(Self.command).joined()
        }
    }

    private static func json(_ findings: [Finding]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.objects("findings", of: findings) { writer, finding in
                writer.member("file", finding.file)
                writer.member("line", finding.line)
                writer.member("column", finding.column)
                writer.member("level", finding.level.rawValue)
                writer.member("code", finding.code)
                writer.member("message", finding.message)
            }
        }
    }

    private static func sarif(_ findings: [Finding]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("version", "2.1.0")
            writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            writer.objects("runs", of: [findings]) { writer, findings in
                writer.object("tool") { writer in
                    writer.object("driver") { writer in
                        writer.member("name", "convert-server")
                        writer.member("version", Version.current)
                    }
                }
                writer.objects("results", of: findings) { writer, finding in write(finding, to: &writer) }
            }
        }
    }

    private static func write(_ finding: Finding, to writer: inout JSONWriter) {
        writer.member("ruleId", finding.code)
        writer.member("level", finding.level.rawValue)
        writer.object("message") { $0.member("text", finding.message) }
        writer.objects("locations", of: [finding]) { writer, finding in
            writer.object("physicalLocation") { writer in
                writer.object("artifactLocation") { $0.member("uri", reference(finding.file)) }
                writer.object("region") { writer in
                    writer.member("startLine", finding.line)
                    writer.member("startColumn", finding.column)
                }
            }
        }
    }

    /// A path as a relative reference of RFC 3986.
    private static func reference(_ path: String) -> String {
        let bytes = path.utf8.flatMap { byte -> [UInt8] in
            ASCII.isUnreserved(byte) || byte == ASCII.slash ? [byte] : ASCII.escape(of: byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func command(_ finding: Finding) -> String {
        // The level is called `notice` there.
        let level = finding.level == .note ? "notice" : finding.level.rawValue
        let file = escaped(finding.file, isProperty: true)
        let message = escaped(finding.message, isProperty: false)
        return "::\(level) file=\(file),line=\(finding.line),col=\(finding.column),title=\(finding.code)::\(message)\n"
    }

    /// A text of a command. A line end would begin another command; `,` and `:` would end a property.
    private static func escaped(_ text: String, isProperty: Bool) -> String {
        // Scalar by scalar, because CR and LF together are one character.
        let data = text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        // People read the commands in the log, too.
        return SingleLine(data).text
    }
}
