import ConvertEngine
import ConvertText

// Building blocks of custom serializers.

extension ValueSerializer {
    /// Serializes a part of a larger value, as `serialize(_:for:)`. Pointers of errors begin with `segment`.
    public func serialize(
        _ value: Value, for format: SerializationFormat, at segment: @autoclosure () -> String
    ) throws(SerializationError) -> SerializedValue {
        do throws(SerializationError) {
            return try serialize(value, for: format)
        } catch {
            throw error.nested(in: segment())
        }
    }

    /// Reads a part of a larger value, as `deserialize(_:from:)`. Pointers of errors begin with `segment`.
    ///
    ///     ValueSerializer<Shape> { (shape, format) throws(SerializationError) in
    ///         .object([.init("side", try ValueSerializer<Double>.double.serialize(shape.side, for: format, at: "side"))])
    ///     } deserialize: { (value, format) throws(SerializationError) in
    ///         Shape(side: try ValueSerializer<Double>.double.deserialize(value["side"] ?? .null, from: format, at: "side"))
    ///     }
    public func deserialize(
        _ value: SerializedValue, from format: SerializationFormat, at segment: @autoclosure () -> String
    ) throws(SerializationError) -> Value {
        do throws(SerializationError) {
            return try deserialize(value, from: format)
        } catch {
            throw error.nested(in: segment())
        }
    }

    /// A serializer that is created on use, so that it may contain itself:
    ///
    ///     struct Tree {
    ///         var name: String
    ///         var children: [Tree]
    ///
    ///         static let serializer: ValueSerializer<Tree> = .object(Tree.init) {
    ///             Field("name", \.name, .string)
    ///             Field("children", \.children, .array(of: .lazy { serializer }))
    ///         }
    ///     }
    ///
    /// A value with more than 512 levels of itself is an error. Each level takes some kilobytes of stack, so fewer fit on a thread with
    /// a small stack.
    ///
    /// - Parameter make: returns the serializer. It is called for each value, so return a stored one.
    public static func lazy(_ make: @escaping @Sendable () -> ValueSerializer) -> ValueSerializer {
        ValueSerializer { (value, format) throws(SerializationError) in
            try Recursion.deeper { () throws(SerializationError) in try make().serialize(value, for: format) }
        } deserialize: { (value, format) throws(SerializationError) in
            try make().deserialize(value, from: format)
        }
    }

    /// One of several objects. The string in the member `name` selects the variant:
    ///
    ///     let shape = ValueSerializer<Shape>.oneOf(taggedBy: "kind") {
    ///         Variant("circle", circle, make: Shape.circle) { if case .circle(let value) = $0 { value } else { nil } }
    ///         Variant("square", square, make: Shape.square) { if case .square(let value) = $0 { value } else { nil } }
    ///     }
    ///
    /// The tag is the first member of the written object. The variant's serializer must write an object without such a member.
    /// For a case with one plain value, use an object with one field, which is the value itself:
    ///
    ///     Variant("label", .object({ $0 }) { Field("text", { $0 }, .string) }, make: Shape.label) {
    ///         if case .label(let text) = $0 { text } else { nil }
    ///     }
    ///
    /// Two variants with the same tag are an error at the first use.
    public static func oneOf(
        taggedBy name: String, @VariantBuilder<Value> variants: () -> [Variant<Value>]
    ) -> ValueSerializer {
        let variants = variants()
        if let tag = ExactText.firstRepeated(in: variants.map(\.tag)) {
            return ValueSerializer(
                refusing: SerializationError(expected: "a tag of its own for each variant", found: "\"\(tag)\" twice"))
        }
        let expected = "one of " + variants.map { "\"\($0.tag)\"" }.joined(separator: ", ")
        return ValueSerializer { (value, format) throws(SerializationError) in
            for variant in variants {
                guard let form = try variant.write(value, format) else { continue }
                guard case .object(let members) = form, form[name] == nil else {
                    let found = form[name] == nil ? form.kind : "one that has it"
                    throw SerializationError(expected: "an object without \"\(name)\"", found: found)
                }
                return .object([.init(name, .string(variant.tag))] + members)
            }
            throw SerializationError(expected: expected, found: "another value")
        } deserialize: { (value, format) throws(SerializationError) in
            guard case .object = value else { throw SerializationError(expected: "an object", found: value.kind) }
            let tag = value[name]
            guard let variant = variants.first(where: { tag?.string.map { ExactText($0) } == ExactText($0.tag) }) else {
                let found = tag == nil ? "nothing" : tag?.string == nil ? tag?.kind ?? "" : "another string"
                throw SerializationError(expected: expected, found: found).nested(in: name)
            }
            return try variant.read(value, format)
        }
    }
}

/// One of the variants of `ValueSerializer.oneOf`.
public struct Variant<Root>: Sendable {
    /// The string that selects this variant.
    public let tag: String
    let write: @Sendable (Root, SerializationFormat) throws(SerializationError) -> SerializedValue?
    let read: @Sendable (SerializedValue, SerializationFormat) throws(SerializationError) -> Root

    /// Creates a variant.
    ///
    /// - Parameters:
    ///   - tag: the string that selects this variant.
    ///   - serializer: the serializer of the variant's value, which must be an object.
    ///   - make: makes the whole value from the variant's value: often a case of an enum.
    ///   - take: returns the variant's value, or nil if the whole value is of another variant.
    public init<Value>(
        _ tag: String, _ serializer: ValueSerializer<Value>, make: @escaping @Sendable (Value) -> Root,
        take: @escaping @Sendable (Root) -> Value?
    ) {
        self.tag = tag
        write = { (root, format) throws(SerializationError) in
            guard let value = take(root) else { return nil }
            return try serializer.serialize(value, for: format)
        }
        read = { (value, format) throws(SerializationError) in make(try serializer.deserialize(value, from: format)) }
    }
}

/// Collects the variants of `ValueSerializer.oneOf`.
@resultBuilder
public enum VariantBuilder<Root>: Sendable {
    /// Returns all variants, in their order.
    public static func buildBlock(_ variants: Variant<Root>...) -> [Variant<Root>] { variants }
}

/// The levels of lazy serializers in which this task writes a value.
private enum Recursion {
    @TaskLocal static var level = 0

    /// - Throws: an error beyond the depth that can be read, or the error of `body`.
    static func deeper<Result>(
        _ body: () throws(SerializationError) -> Result
    ) throws(SerializationError) -> Result {
        guard level < Limits().maxDepth else {
            throw SerializationError(expected: "at most \(Limits().maxDepth) levels", found: "more")
        }
        let outcome = $level.withValue(level + 1) { Swift.Result(catching: body) }
        return try outcome.get()
    }
}
