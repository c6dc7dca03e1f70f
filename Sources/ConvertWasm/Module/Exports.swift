// The functions of the module, which imports none. The host writes bytes into the input and calls a function with their count.
// Texts are UTF-8. The output keeps the result of a function until the next call.
//
// A result below zero is an error: its JSON text has that many bytes, without the sign. Handles are above zero. Wrong handles,
// counts or bytes cause no other kind of failure, unless the memory is full.
import CWasm

// One thread runs a module, and no function calls another one.
nonisolated(unsafe) private var input = InputBlock()
nonisolated(unsafe) private var instance = Instance()

/// Seeds the random numbers of hash tables. Call it first, with a number that nobody can guess.
@c(convert_seed)
public func convertSeed(_ seed: UInt64) { cwasm_seed(seed) }

/// Makes room for `count` bytes of input. Returns their address; null if there is no memory for them.
@c(convert_input)
public func convertInput(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    guard unsafe input.reserve(Int(count)) else { return nil }
    return unsafe input.base
}

/// The address of the output.
@c(convert_output)
public func convertOutput() -> UnsafePointer<UInt8>? {
    unsafe instance.output.bytes.withUnsafeBufferPointer { $0.baseAddress }
}

/// Parses and checks the profile in the input. Returns its handle.
///
/// `maxDepth` and `maxHeldBytes` are limits of its payloads; 0 means the default.
@c(convert_profile)
public func convertProfile(_ count: Int32, _ maxDepth: Int32, _ maxHeldBytes: Int32) -> Int32 {
    guard unsafe input.holds(count) else { return unsafe instance.refuse(.count) }
    let document = unsafe [UInt8](copying: input.bytes(from: 0, count: count))
    return unsafe instance.addProfile(document, maxDepth: Int(maxDepth), maxHeldBytes: Int(maxHeldBytes))
}

/// Creates a converter. Returns its handle.
///
/// `direction` is 0 for forward and 1 for inverse; `framing` is 0 for one JSON text and 1 for NDJSON.
@c(convert_converter)
public func convertConverter(_ profile: Int32, _ direction: Int32, _ framing: Int32) -> Int32 {
    unsafe instance.addConverter(profile, isInverse: direction != 0, hasLines: framing != 0)
}

/// How many bytes a piece of a payload should have: with more, the output of a call can be long.
@c(convert_piece)
public func convertPiece(_ converter: Int32) -> Int32 { unsafe instance.pieceBytes(converter) }

/// Converts the next piece of a payload: the input. Returns the length of the output.
///
/// After an error the converter is ready for another payload.
@c(convert_feed)
public func convertFeed(_ converter: Int32, _ count: Int32) -> Int32 {
    guard unsafe input.holds(count) else { return unsafe instance.refuse(.count) }
    return unsafe instance.convert(converter, input.bytes(from: 0, count: count), isLast: false)
}

/// Converts the last piece of a payload, which may have no bytes. Returns the length of the output.
///
/// After that, and after an error, the converter is ready for another payload.
@c(convert_finish)
public func convertFinish(_ converter: Int32, _ count: Int32) -> Int32 {
    guard unsafe input.holds(count) else { return unsafe instance.refuse(.count) }
    return unsafe instance.convert(converter, input.bytes(from: 0, count: count), isLast: true)
}

/// Ends a payload that is not converted further.
@c(convert_reset)
public func convertReset(_ converter: Int32) { unsafe instance.reset(converter) }

/// How many bad records were skipped, or replaced by null, in the last payload.
@c(convert_skipped)
public func convertSkipped(_ converter: Int32) -> Int32 { unsafe instance.skippedRecords(converter) }

/// Reports on the profile at the beginning of the input, as `POST /v1/profiles/check` does. Returns the length of the output.
///
/// The other bytes of the input are a payload that is explained; there is none if `payloadCount` is below zero.
@c(convert_check)
public func convertCheck(_ profileCount: Int32, _ payloadCount: Int32, _ direction: Int32) -> Int32 {
    let hasPayload = payloadCount >= 0
    guard unsafe input.holds(profileCount, hasPayload ? payloadCount : 0) else { return unsafe instance.refuse(.count) }
    let profile = unsafe [UInt8](copying: input.bytes(from: 0, count: profileCount))
    var payload: [UInt8]?
    if hasPayload { payload = unsafe [UInt8](copying: input.bytes(from: profileCount, count: payloadCount)) }
    return unsafe instance.check(profile, payload, isInverse: direction != 0)
}

/// Provides a file (`kind` 0) or an environment variable (`kind` 1) that profiles refer to. The input contains its name, then its
/// content.
@c(convert_provide)
public func convertProvide(_ kind: Int32, _ nameCount: Int32, _ contentCount: Int32) -> Int32 {
    guard unsafe input.holds(nameCount, contentCount) else { return unsafe instance.refuse(.count) }
    let name = unsafe String(decoding: [UInt8](copying: input.bytes(from: 0, count: nameCount)), as: UTF8.self)
    let content = unsafe [UInt8](copying: input.bytes(from: nameCount, count: contentCount))
    if kind == 0 { SystemInput.provide(content, asFile: name) } else { SystemInput.provide(content, asVariable: name) }
    return 0
}

/// Frees the memory of a profile. Its converters remain usable.
@c(convert_free_profile)
public func convertFreeProfile(_ profile: Int32) { unsafe instance.profiles.remove(profile) }

/// Frees the memory of a converter.
@c(convert_free_converter)
public func convertFreeConverter(_ converter: Int32) { unsafe instance.converters.remove(converter) }
