@testable import ConvertEngine
@testable import ConvertProfiles

/// The engine's output or error for one payload, however the payload was cut.
enum EngineRun: Equatable {
    case output([UInt8])
    case error(ConversionError)

    /// Feeds `payload` in pieces that end at `cuts` (ascending offsets) and then ends it. Buffered objects are written in pieces of
    /// `pieceBytes`, and sorted only at the outermost one's end if they are longer.
    init(
        _ plan: Plan, framing: Converter.Framing = .document, payload: [UInt8], cuts: [Int] = [],
        pieceBytes: Int = Engine.maxPieceBytes
    ) {
        var converter = Converter(plan, framing: framing)
        converter.setPieceBytes(pieceBytes)
        converter.setMinLongBytes(pieceBytes)
        self.init(&converter, payload: payload, cuts: cuts)
    }

    /// The same with a converter that was used before; it is reset first.
    init(_ converter: inout Converter, payload: [UInt8], cuts: [Int] = []) {
        converter.reset()
        var output = ByteBuffer()
        do throws(ConversionError) {
            var start = 0
            for end in cuts + [payload.count] {
                try converter.convert(payload.span.extracting(start..<end), into: &output)
                start = end
            }
            try converter.finish(into: &output)
            self = .output([UInt8](output))
        } catch {
            self = .error(error)
        }
    }

    var isAccepted: Bool {
        if case .output = self { true } else { false }
    }

    var output: [UInt8]? {
        if case .output(let bytes) = self { bytes } else { nil }
    }

    var error: ConversionError? {
        if case .error(let error) = self { error } else { nil }
    }
}

extension EngineRun: CustomStringConvertible {
    var description: String {
        switch self {
        case .output(let bytes): "output \(String(decoding: bytes.prefix(400), as: UTF8.self))"
        case .error(let error): "\(error.code.rawValue) \(error.pointer) at \(error.offset): \(error.message)"
        }
    }
}

extension Plan {
    /// The forward plan of a profile that the test wrote itself.
    static func forward(_ profile: String) throws -> Plan {
        try Profile(parsing: Array(profile.utf8)).compile(.forward)
    }

    /// A plan that changes nothing and allows duplicate keys, since RFC 8259 allows them.
    static func permissive() throws -> Plan {
        try forward(#"{"on": {"duplicateKey": "keep"}}"#)
    }
}
