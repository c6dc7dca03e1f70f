/// The state that is kept between the calls of the host.
struct Instance: ~Copyable {
    /// Larger storage of the output is not kept.
    private static let maxKeptBytes = 4 << 20

    private(set) var output = ByteBuffer()
    var profiles = HandleTable<LoadedProfile>()
    var converters = HandleTable<PayloadConverter>()

    // MARK: Profiles

    mutating func addProfile(_ document: [UInt8], maxDepth: Int, maxHeldBytes: Int) -> Int32 {
        do throws(ProfileError) {
            return profiles.insert(
                try LoadedProfile.parsing(document, maxDepth: maxDepth, maxHeldBytes: maxHeldBytes))
        } catch {
            return refuse(ErrorText(error))
        }
    }

    mutating func addConverter(_ profile: Int32, isInverse: Bool, hasLines: Bool) -> Int32 {
        guard let profile = profiles[profile] else { return refuse(.handle) }
        do throws(ProfileError) {
            return converters.insert(try PayloadConverter.of(profile, isInverse: isInverse, hasLines: hasLines))
        } catch {
            return refuse(ErrorText(error))
        }
    }

    mutating func check(_ profile: [UInt8], _ payload: [UInt8]?, isInverse: Bool) -> Int32 {
        let request = CheckRequest(profile: profile, payload: payload, direction: isInverse ? .inverse : .forward)
        beginOutput()
        output.append(request.report())
        return Int32(output.count)
    }

    // MARK: Payloads

    mutating func convert(_ handle: Int32, _ chunk: Span<UInt8>, isLast: Bool) -> Int32 {
        guard let converter = converters[handle] else { return refuse(.handle) }
        beginOutput()
        do throws(ConversionError) {
            try converter.convert(chunk, isLast: isLast, into: &output)
            if isLast { converter.reset() }
            return Int32(output.count)
        } catch {
            converter.reset()
            return refuse(ErrorText(error))
        }
    }

    func pieceBytes(_ handle: Int32) -> Int32 { Int32(converters[handle]?.pieceBytes ?? 0) }

    func reset(_ handle: Int32) { converters[handle]?.reset() }

    func skippedRecords(_ handle: Int32) -> Int32 { Int32(converters[handle]?.skippedRecords ?? 0) }

    // MARK: Output

    private mutating func beginOutput() {
        if output.capacity > Self.maxKeptBytes { output = ByteBuffer() } else { output.removeAll() }
    }

    /// Writes an error in place of the output.
    mutating func refuse(_ error: borrowing ErrorText) -> Int32 {
        beginOutput()
        output.append(error.json.bytes)
        return -Int32(output.count)
    }
}
