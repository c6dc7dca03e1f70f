public import ConvertCore
public import Hummingbird
import NIOCore

/// Decodes the bodies of requests through a profile.
public struct ConvertRequestDecoder: RequestDecoder {
    private let decoder: ConvertDecoder

    public init(decoder: ConvertDecoder) { self.decoder = decoder }

    public func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request, context: some RequestContext
    ) async throws -> Value {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        do {
            return try decoder.decode(type, from: Array(body.readableBytesView))
        } catch let error as DecodingError {
            // Errors of ConvertDecoder name the path and repeat no value of the payload.
            throw HTTPError(.badRequest, message: "\(error)")
        }
    }
}

/// Encodes responses through a profile.
public struct ConvertResponseEncoder: ResponseEncoder {
    private let encoder: ConvertEncoder

    public init(encoder: ConvertEncoder) { self.encoder = encoder }

    public func encode(
        _ value: some Encodable, from request: Request, context: some RequestContext
    ) throws -> Response {
        let json = try encoder.encode(value)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .contentLength: String(json.count)],
            body: .init(byteBuffer: .init(bytes: json)))
    }
}

/// Converts JSON bodies of requests and responses while they pass.
public struct ConvertMiddleware<Context: RequestContext>: RouterMiddleware {
    private let request: Plan?
    private let response: Plan?

    /// - Parameters:
    ///   - request: the conversion of client requests; nil passes them through unchanged.
    ///   - response: the conversion of handler responses; nil passes them through unchanged.
    public init(request: Plan? = nil, response: Plan? = nil) {
        (self.request, self.response) = (request, response)
    }

    public func handle(
        _ input: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var input = input
        if let request, Self.isJSON(input.headers[.contentType]) {
            let converted = request.convert(Pieces(base: input.body))
            var head = input.head
            head.headerFields[.contentLength] = nil
            input = Request(head: head, body: input.body)
            input.body = RequestBody(asyncSequence: converted.map { NIOCore.ByteBuffer(bytes: $0) })
        }
        var output = try await next(input, context)
        if let response, Self.isJSON(output.headers[.contentType]) {
            let body = output.body
            output.headers[.contentLength] = nil
            output.body = .init { writer in
                let converting = ConvertingWriter(writer, response)
                try await body.write(converting)
            }
        }
        return output
    }

    private static func isJSON(_ contentType: String?) -> Bool {
        guard let type = contentType?.prefix(while: { $0 != ";" }).lowercased() else { return false }
        return type.hasPrefix("application/json") || type.hasSuffix("+json")
    }
}

/// The pieces of a body as sequences of bytes.
private struct Pieces<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element == NIOCore.ByteBuffer {
    let base: Base

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator

        mutating func next() async throws -> ByteBufferView? { try await base.next()?.readableBytesView }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }
}

/// Converts a body piece by piece while it is written. One body writes to it, from one task at a time.
private final class ConvertingWriter: ResponseBodyWriter {
    private var writer: any ResponseBodyWriter
    private var converter: Converter

    init(_ writer: any ResponseBodyWriter, _ plan: Plan) {
        self.writer = writer
        converter = Converter(plan)
    }

    func write(_ buffer: NIOCore.ByteBuffer) async throws {
        var output = ConvertCore.ByteBuffer()
        try converter.convert(Array(buffer.readableBytesView).span, into: &output)
        if !output.isEmpty { try await writer.write(.init(bytes: Array(output))) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {
        var output = ConvertCore.ByteBuffer()
        try converter.finish(into: &output)
        if !output.isEmpty { try await writer.write(.init(bytes: Array(output))) }
        try await writer.finish(trailingHeaders)
    }
}
