public import ConvertCore
public import NIOCore
public import Vapor

/// Decodes the JSON of requests and responses through a profile.
public struct ConvertContentDecoder: ContentDecoder {
    private let decoder: ConvertDecoder

    public init(decoder: ConvertDecoder) { self.decoder = decoder }

    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: NIOCore.ByteBuffer, headers: HTTPHeaders
    ) throws -> Value {
        try decoder.decode(type, from: Array(body.readableBytesView))
    }

    public func decode<Value: Decodable>(
        _ type: Value.Type, from body: NIOCore.ByteBuffer, headers: HTTPHeaders,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        var decoder = decoder
        decoder.userInfo.merge(userInfo) { $1 }
        return try decoder.decode(type, from: Array(body.readableBytesView))
    }
}

/// Encodes JSON through a profile.
public struct ConvertContentEncoder: ContentEncoder {
    private let encoder: ConvertEncoder

    public init(encoder: ConvertEncoder) { self.encoder = encoder }

    public func encode<Value: Encodable>(
        _ value: Value, to body: inout NIOCore.ByteBuffer, headers: inout HTTPHeaders
    ) throws {
        headers.contentType = .json
        body.writeBytes(try encoder.encode(value))
    }

    public func encode<Value: Encodable>(
        _ value: Value, to body: inout NIOCore.ByteBuffer, headers: inout HTTPHeaders,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws {
        var encoder = encoder
        encoder.userInfo.merge(userInfo) { $1 }
        headers.contentType = .json
        body.writeBytes(try encoder.encode(value))
    }
}
