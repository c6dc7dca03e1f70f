// The functions of convert.h, which says what they do. A handle is the address of an object that its caller owns.
import ConvertEngine
import ConvertProfiles

private let version: StaticString = "0.1.0"

@c(convert_version)
public func convertVersion() -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(version.utf8Start).assumingMemoryBound(to: CChar.self)
}

// MARK: Profiles

@c(convert_profile_new)
public func convertProfileNew(
    _ document: UnsafePointer<UInt8>?, _ count: Int, _ maxDepth: Int, _ maxHeldBytes: Int,
    _ profile: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ text: UnsafeMutablePointer<UInt8>?, _ capacity: Int
) -> Int {
    let document = unsafe bytes(document, count)
    return unsafe create(profile, text, capacity) { () throws(ProfileError) in
        try LoadedProfile.parsing(document, maxDepth: size(maxDepth), maxHeldBytes: size(maxHeldBytes))
    }
}

@c(convert_profile_free)
public func convertProfileFree(_ profile: UnsafeMutableRawPointer?) {
    if let profile = unsafe profile { unsafe Unmanaged<LoadedProfile>.fromOpaque(profile).release() }
}

@c(convert_check)
public func convertCheck(
    _ document: UnsafePointer<UInt8>?, _ count: Int, _ payload: UnsafePointer<UInt8>?, _ payloadCount: Int,
    _ direction: CInt, _ text: UnsafeMutablePointer<UInt8>?, _ capacity: Int
) -> Int {
    let payload = unsafe payload == nil ? nil : bytes(payload, payloadCount)
    let request = CheckRequest(
        profile: unsafe bytes(document, count), payload: payload, direction: direction == 0 ? .forward : .inverse)
    return unsafe write(request.report(), to: text, capacity)
}

// MARK: Converters

@c(convert_converter_new)
public func convertConverterNew(
    _ profile: UnsafeMutableRawPointer, _ direction: CInt, _ framing: CInt,
    _ converter: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ text: UnsafeMutablePointer<UInt8>?, _ capacity: Int
) -> Int {
    let loaded = unsafe Unmanaged<LoadedProfile>.fromOpaque(profile).takeUnretainedValue()
    return unsafe create(converter, text, capacity) { () throws(ProfileError) in
        OpenConverter(try PayloadConverter.of(loaded, isInverse: direction != 0, hasLines: framing != 0))
    }
}

@c(convert_converter_free)
public func convertConverterFree(_ converter: UnsafeMutableRawPointer?) {
    if let converter = unsafe converter { unsafe Unmanaged<OpenConverter>.fromOpaque(converter).release() }
}

@c(convert_feed)
public func convertFeed(_ converter: UnsafeMutableRawPointer, _ input: UnsafePointer<UInt8>?, _ count: Int) -> Int64 {
    unsafe convert(converter, input, count, isLast: false)
}

@c(convert_finish)
public func convertFinish(_ converter: UnsafeMutableRawPointer, _ input: UnsafePointer<UInt8>?, _ count: Int) -> Int64 {
    unsafe convert(converter, input, count, isLast: true)
}

@c(convert_read)
public func convertRead(
    _ converter: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int
) -> Int {
    unsafe opened(converter).read(into: buffer, capacity: size(capacity))
}

@c(convert_reset)
public func convertReset(_ converter: UnsafeMutableRawPointer) { unsafe opened(converter).reset() }

@c(convert_skipped)
public func convertSkipped(_ converter: UnsafeMutableRawPointer) -> UInt64 {
    UInt64(unsafe opened(converter).skippedRecords)
}

// MARK: Addresses

/// Sets a handle to a new object. Returns 0, or the length of the error, whose beginning is written to `text`.
private func create<Object: AnyObject>(
    _ handle: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ text: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ make: () throws(ProfileError) -> Object
) -> Int {
    unsafe handle.pointee = nil
    do throws(ProfileError) {
        let object = try make()
        unsafe handle.pointee = Unmanaged.passRetained(object).toOpaque()
        return 0
    } catch {
        return unsafe write(Array(ErrorText(error).json), to: text, capacity)
    }
}

private func opened(_ converter: UnsafeMutableRawPointer) -> OpenConverter {
    unsafe Unmanaged<OpenConverter>.fromOpaque(converter).takeUnretainedValue()
}

private func convert(
    _ converter: UnsafeMutableRawPointer, _ input: UnsafePointer<UInt8>?, _ count: Int, isLast: Bool
) -> Int64 {
    let chunk = unsafe UnsafeBufferPointer(start: input, count: input == nil ? 0 : count)
    return unsafe Int64(opened(converter).convert(chunk.span, isLast: isLast))
}

/// A size of C, such as SIZE_MAX. Those above `Int.max` are negative here.
private func size(_ count: Int) -> Int { count < 0 ? .max : count }

private func bytes(_ address: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeBufferPointer(start: address, count: address == nil ? 0 : count))
}

/// Writes the beginning of a text, as much as there is room for. Returns the length of all of it.
private func write(_ text: [UInt8], to buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> Int {
    guard let buffer = unsafe buffer else { return text.count }
    unsafe buffer.update(from: text, count: min(text.count, size(capacity)))
    return text.count
}
