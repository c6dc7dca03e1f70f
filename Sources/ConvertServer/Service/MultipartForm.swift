package import Conversions
import ConvertProfiles
package import HTTPSemantics
import Text

/// A form that has a profile and a payload.
///
/// If the profile comes first, the payload is converted while it arrives. Otherwise, or if the profile takes long to
/// compile, the payload is buffered until the profile is ready, up to the limit of a body.
package final class MultipartForm {
    package enum Step {
        /// All of the input was consumed.
        case needMore
        case begin(ConversionOrder)
        /// These bytes of the input belong to the payload.
        case payload(Range<Int>)
        /// These bytes of `delimiter` belong to the payload.
        case heldPayload(Range<Int>)
    }

    /// A payload that came before its profile was ready.
    package struct Kept {
        package let profile: RequestedProfile
        package let type: PayloadType
        /// The media type of the response.
        package let contentType: String
        package let payload: [UInt8]
    }

    private enum Part {
        case none, profile, keptPayload, streamedPayload, direction
    }

    private static let maxDirectionBytes = 16

    private var parser: MultipartParser
    private var direction: Profile.Direction?
    private let accept: Accept
    private let profiles: RequestProfiles

    private var part = Part.none
    private var seen: Set<String> = []
    private var profile: [UInt8] = []
    private var isProfileFile = false
    private var hasProfile = false
    private var directionText: [UInt8] = []
    private var payload: [UInt8] = []
    private var keptType: PayloadType?
    private var isStreamed = false

    init(_ parser: MultipartParser, direction: Profile.Direction?, accept: Accept, _ profiles: RequestProfiles) {
        self.parser = parser
        self.direction = direction
        self.accept = accept
        self.profiles = profiles
    }

    package var delimiter: [UInt8] { parser.delimiter }

    /// Buffered bytes of the parts; 0 while the payload is converted as it arrives.
    package var keptBytes: Int { isStreamed ? 0 : profile.count + payload.count }

    /// Consumes `input` from `position` on until there is a step to return.
    package func next(_ input: Span<UInt8>, at position: inout Int) throws(Problem) -> Step {
        while true {
            switch try parser.next(input, at: &position) {
            case .needMore: return .needMore
            case .part(let head):
                if let order = try begin(head) { return .begin(order) }
            case .data(let range):
                if part == .streamedPayload { return .payload(range) }
                try keep(input.extracting(range))
            case .held(let range):
                if part == .streamedPayload { return .heldPayload(range) }
                let delimiter = parser.delimiter
                try keep(delimiter.span.extracting(range))
            case .partEnd: try endPart()
            case .end: break
            }
        }
    }

    /// Ends the body. Returns the payload if it must still be converted.
    package func finish() throws(Problem) -> Kept? {
        guard parser.isDone else { throw Problem(400, "the form ends before its last boundary", code: "form") }
        guard hasProfile else { throw .badParameter("profile", "the form has no part profile") }
        if isStreamed { return nil }
        guard let keptType else { throw .badParameter("payload", "the form has no part payload") }
        return Kept(
            profile: try requestedProfile(), type: keptType, contentType: try contentType(for: keptType),
            payload: payload)
    }

    // MARK: Parts

    private func begin(_ head: MultipartParser.PartHead) throws(Problem) -> ConversionOrder? {
        let name = head.name ?? ""
        guard ["profile", "payload", "direction"].contains(name) else {
            throw .badParameter(
                name, "the form has an unknown part", hint: "the keys are profile, direction and payload")
        }
        guard seen.insert(name).inserted else { throw .badParameter(name, "the form has this part twice") }
        switch name {
        case "profile":
            part = .profile
            isProfileFile = head.filename != nil
        case "direction":
            guard !isStreamed else { throw .badParameter(name, "the direction must come before the payload") }
            guard direction == nil else { throw .badParameter(name, "the direction is also in the query") }
            part = .direction
        default:
            let type = try Self.readableType(head)
            guard hasProfile, profile.count <= CompileQueue.maxShortBytes else {
                part = .keptPayload
                keptType = type
                return nil
            }
            part = .streamedPayload
            isStreamed = true
            return ConversionOrder(
                recipe: try requestedProfile().recipe(), type: type, contentType: try contentType(for: type))
        }
        return nil
    }

    private func keep(_ bytes: Span<UInt8>) throws(Problem) {
        switch part {
        case .profile:
            try profiles.checkSize(profile.count + bytes.count)
            profile.append(span: bytes)
        case .direction:
            guard directionText.count + bytes.count <= Self.maxDirectionBytes else { throw Self.badDirection }
            directionText.append(span: bytes)
        case .keptPayload: payload.append(span: bytes)
        case .none, .streamedPayload: break
        }
    }

    private func endPart() throws(Problem) {
        if part == .profile {
            guard profiles.acceptsInline || isName else { throw .inlineProfilesOff }
            hasProfile = true
        }
        if part == .direction {
            let text = String(decoding: directionText, as: UTF8.self)
            guard let stated = Profile.Direction(rawValue: text) else { throw Self.badDirection }
            direction = stated
        }
        part = .none
    }

    // MARK: Decisions

    private func contentType(for type: PayloadType) throws(Problem) -> String {
        guard let contentType = accept.best(of: type.offers) else { throw .notAcceptable(type.offers) }
        return contentType
    }

    /// A field, not a file, may also be the name of a profile that the server has.
    private func requestedProfile() throws(Problem) -> RequestedProfile {
        let direction = direction ?? .forward
        guard isName else { return .document(profile, direction, profiles.limits) }
        return .known(try profiles.set.recipe(String(decoding: profile, as: UTF8.self), direction))
    }

    private var isName: Bool { !isProfileFile && !profile.isEmpty && profile.allSatisfy(Self.isNameByte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.hyphen || byte == ASCII.underscore
            || byte == ASCII.dot
    }

    /// The payload's type. An error names the types of a part, and its `Accept-Post` those of this route.
    private static func readableType(_ head: MultipartParser.PartHead) throws(Problem) -> PayloadType {
        do throws(Problem) {
            return try payloadType(head)
        } catch {
            var problem = error
            problem.fields = [Problem.Field(name: "Accept-Post", value: Route.convert.acceptPost ?? "")]
            throw problem
        }
    }

    /// Clients send unknown files as `application/octet-stream` or `text/plain`. Then the file's name decides.
    private static func payloadType(_ head: MultipartParser.PartHead) throws(Problem) -> PayloadType {
        guard let contentType = head.contentType, let mediaType = MediaType(contentType),
            ["application/octet-stream", "text/plain"].contains(mediaType.essence)
        else { return try PayloadType(contentType: head.contentType) }
        let name = head.filename?.lowercased() ?? ""
        if name.hasSuffix(".plist") { return try PayloadType(contentType: "application/x-plist") }
        return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") ? .lines : .json
    }

    private static var badDirection: Problem {
        .badParameter("direction", "direction must be forward or inverse")
    }
}
