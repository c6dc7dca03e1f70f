import ConvertEngine
import Text

/// Selects fields of the resource objects in a JSON:API document, which must be valid JSON.
///
/// The resources are the object at `/data` and the objects in the arrays `/data` and `/included`. Each is buffered,
/// because its type may be its last member.
final class ResourceFields {
    private let recipes: [[UInt8]: Recipe]
    private let pool: ConverterPool
    /// How many containers are open.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether the next string in the document is a key.
    private var expectsKey = false
    /// The key of the current member of the document, as it is written.
    private var key: [UInt8] = []
    /// Whether the value of that member is an array.
    private var isArray = false
    /// The text of the current resource so far, and its depth; 0 outside of resources.
    private var resource = ByteBuffer()
    private var resourceDepth = 0

    init(_ recipes: [[UInt8]: Recipe], _ pool: ConverterPool) {
        self.recipes = recipes
        self.pool = pool
    }

    /// The bytes that wait for the end of a resource.
    var heldBytes: Int { resource.count }

    /// Begins another document.
    func reset() {
        (depth, isInString, isEscaped, resourceDepth) = (0, false, false, 0)
        resource.removeAll()
    }

    /// Takes the next bytes of the document.
    func take(_ bytes: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        var start = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if isInString {
                takeInString(byte)
            } else {
                try take(byte, at: index, of: bytes, from: &start, into: &output)
            }
        }
        append(bytes.extracting(start..<bytes.count), to: &output)
    }

    private func takeInString(_ byte: UInt8) {
        if !isEscaped, byte == ASCII.quote {
            isInString = false
            if depth == 1 { expectsKey = false }
        } else {
            isEscaped = !isEscaped && byte == ASCII.backslash
            if depth == 1, expectsKey { key.append(byte) }
        }
    }

    private func take(
        _ byte: UInt8, at index: Int, of bytes: Span<UInt8>, from start: inout Int, into output: inout ByteBuffer
    ) throws(ConversionError) {
        switch byte {
        case ASCII.quote:
            isInString = true
            if depth == 1, expectsKey { key = [] }
        case ASCII.comma:
            if depth == 1 { expectsKey = true }
        case ASCII.openBrace, ASCII.openBracket:
            if depth == 0 { (key, isArray, expectsKey) = ([], false, byte == ASCII.openBrace) }
            if depth == 1 { isArray = byte == ASCII.openBracket }
            if byte == ASCII.openBrace, resourceDepth == 0, isAtResource {
                append(bytes.extracting(start..<index), to: &output)
                start = index
                resourceDepth = depth + 1
            }
            depth += 1
        case ASCII.closeBrace, ASCII.closeBracket:
            if resourceDepth > 0, depth == resourceDepth {
                resource.append(bytes.extracting(start..<(index + 1)))
                start = index + 1
                resourceDepth = 0
                try endResource(&output)
            }
            depth -= 1
        default: break
        }
    }

    private static let data = Array("data".utf8)
    private static let included = Array("included".utf8)

    /// Whether an object that begins here is a resource.
    private var isAtResource: Bool {
        guard key == Self.data || key == Self.included else { return false }
        return depth == 2 ? isArray : depth == 1 && key == Self.data
    }

    private func append(_ bytes: Span<UInt8>, to output: inout ByteBuffer) {
        if resourceDepth > 0 { resource.append(bytes) } else { output.append(bytes) }
    }

    private func endResource(_ output: inout ByteBuffer) throws(ConversionError) {
        defer { resource.removeAll() }
        guard let recipe = recipes[try type()] else { return output.append(resource.bytes) }
        let unit = pool.take(recipe, .document)
        defer { pool.giveBack(unit) }
        try unit.finish(resource.bytes)
        output.append(unit.output.bytes)
    }

    /// The type of the resource, without escapes; empty if it has none.
    private func type() throws(ConversionError) -> [UInt8] {
        let unit = pool.take(FieldsOrder.typeRecipe, .document)
        defer { pool.giveBack(unit) }
        try unit.finish(resource.bytes)
        // {"type":"articles"}
        let text = Array(unit.output)
        guard let colon = text.firstIndex(of: ASCII.colon) else { return [] }
        return JSONText.content(ofString: text[(colon + 1)...].dropLast()) ?? []
    }
}
