/// Reads the Prometheus text format as its specification describes it, and refuses everything else.
///
/// Stricter than a Prometheus server: samples must follow the `HELP` and `TYPE` of their family, families and series must not repeat, and
/// a histogram must be valid.
package struct ExpositionDocument {
    package struct Refusal: Error, CustomStringConvertible {
        package let line: Int
        package let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    package struct Sample {
        package let name: String
        package let labels: [String: String]
        package let value: String

        /// The labels and the name that identify the sample, as bytes: a `String` treats different spellings of a letter as equal.
        package var identity: [String: [UInt8]] {
            labels.mapValues { Array($0.utf8) }.merging(["": Array(name.utf8)]) { $1 }
        }

        package var number: Double { value == "+Inf" ? .infinity : Double(value) ?? .nan }
    }

    package struct Family {
        package let name: String
        package let help: String
        package let kind: String
        package var samples: [Sample] = []
    }

    package private(set) var families: [Family] = []

    package init(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Refusal(line: 0, reason: "no UTF-8") }
        guard text.utf8.last == 10 else { throw Refusal(line: 0, reason: "the last line does not end") }
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast().map { String($0) ?? "" }
        var help: (name: String, text: String)?
        var series: Set<[String: [UInt8]]> = []
        for (index, line) in lines.enumerated() {
            func refuse(_ reason: String) -> Refusal { Refusal(line: index + 1, reason: "\(reason): \(line)") }
            if line.hasPrefix("# HELP ") {
                let words = line.dropFirst(7).split(separator: " ", maxSplits: 1)
                guard words.count == 2, help == nil else { throw refuse("HELP") }
                help = (String(words[0]), String(words[1]))
            } else if line.hasPrefix("# TYPE ") {
                let words = line.dropFirst(7).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
                guard words.count == 2, let about = help, about.name == words[0] else { throw refuse("TYPE") }
                guard ["counter", "gauge", "histogram"].contains(words[1]) else { throw refuse("kind") }
                guard Self.isName(words[0], colons: true) else { throw refuse("family's name") }
                guard !families.contains(where: { $0.name == words[0] }) else { throw refuse("family again") }
                families.append(Family(name: words[0], help: about.text, kind: words[1]))
                help = nil
            } else {
                guard help == nil, !families.isEmpty, let sample = Self.sample(line) else { throw refuse("sample") }
                let family = families[families.count - 1]
                let suffixes = family.kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                guard suffixes.contains(where: { family.name + $0 == sample.name }) else { throw refuse("family") }
                guard series.insert(sample.identity).inserted else { throw refuse("series again") }
                families[families.count - 1].samples.append(sample)
            }
        }
    }

    package subscript(family: String) -> Family? { families.first { $0.name == family } }

    /// The value of one series; labels are given as written, without empty ones.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> String? {
        for family in families {
            for sample in family.samples where sample.name == name && sample.labels == labels { return sample.value }
        }
        return nil
    }

    // MARK: Lines

    /// `name [ "{" label *( "," label ) "}" ] SP value`
    private static func sample(_ line: String) -> Sample? {
        var rest = Array(line)[...]
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        guard isName(name, colons: true) else { return nil }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest = rest.dropFirst()
                guard let (label, value) = takeLabel(&rest), labels[label] == nil else { return nil }
                labels[label] = value
            } while rest.first == ","
            guard rest.first == "}" else { return nil }
            rest = rest.dropFirst()
        }
        guard rest.first == " " else { return nil }
        let value = String(rest.dropFirst())
        guard !value.isEmpty, value.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), Double(value) != nil
        else { return nil }
        return Sample(name: name, labels: labels, value: value)
    }

    private static func takeLabel(_ rest: inout ArraySlice<Character>) -> (String, String)? {
        let name = String(rest.prefix { $0 != "=" })
        rest = rest.dropFirst(name.count)
        guard isName(name, colons: false), rest.starts(with: ["=", "\""]) else { return nil }
        rest = rest.dropFirst(2)
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return (name, value)
            case "\\":
                switch rest.popFirst() {
                case "\\": value += "\\"
                case "\"": value += "\""
                case "n": value += "\n"
                default: return nil
                }
            default: value.append(character)
            }
        }
        return nil
    }

    private static func isName(_ name: String, colons: Bool) -> Bool {
        guard let first = name.first, !(first.isASCII && first.isNumber) else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || (colons && $0 == ":")) }
    }
}
