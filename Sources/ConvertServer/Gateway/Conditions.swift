import HTTPSemantics
import HTTPWire
import Text

/// The conditions of a request for the upstream, whose entity tags differ from those that clients have.
///
/// On routes with `response`, GET and HEAD forward only the If-None-Match tags of the route's current plan, without its
/// suffix. A tag of another plan names bytes that the gateway can no longer produce. If-None-Match of other methods,
/// and every If-Match, must not lose a condition. There the suffix of any route's plan is removed, and all else stays.
struct Conditions: Sendable {
    /// A forwarded tag of the client, and the upstream's name for it.
    struct ForwardedTag: Sendable, Hashable {
        let client: EntityTag
        let upstream: EntityTag
    }

    /// The fields to send instead of the client's.
    private(set) var fields: [(name: String, value: [UInt8])] = []
    /// In the order of the client's list.
    private(set) var tags: [ForwardedTag] = []

    /// The fields that are replaced or removed.
    static let names = ["if-none-match", "if-match", "if-modified-since"]

    /// Reads a request's conditions.
    ///
    /// - Parameters:
    ///   - conversion: how the route converts responses; nil if it does not.
    ///   - selection: the fields of the response that the client selects.
    ///   - fingerprints: those of all routes.
    ///   - now: seconds since 1970.
    init(
        _ received: Fields, method: RequestMethod, conversion: ResponseConversion?, selection: FieldSelection? = nil,
        fingerprints: Set<String>, now: Int64
    ) {
        let noneMatch = received.list(for: "if-none-match")
        let isRead = method == .get || method == .head
        if let conversion, isRead {
            // The tags take precedence over the date (RFC 9110 §13.1.3). Without them, the upstream would use the date.
            if let noneMatch {
                addNoneMatch(noneMatch, of: conversion.fingerprint.digits, selection?.digits)
            } else {
                addModifiedSince(received, conversion, now)
            }
        } else {
            if let noneMatch {
                fields.append(("If-None-Match", isRead ? noneMatch : Self.unsuffixed(noneMatch, fingerprints)))
            }
            for value in received.values(for: "if-modified-since") {
                fields.append(("If-Modified-Since", Array(value.utf8)))
            }
        }
        if let match = received.list(for: "if-match") {
            fields.append(("If-Match", Self.unsuffixed(match, fingerprints)))
        }
    }

    /// The ETag of a 304: the client's ETag that corresponds to the upstream's, nil if none does.
    ///
    /// - Parameter upstream: the ETag of the response; without one, it must be the condition's only ETag.
    func matched(by upstream: EntityTag?) -> EntityTag? {
        guard let upstream else { return tags.count == 1 ? tags[0].client : nil }
        return tags.first { $0.upstream.matchesWeakly(upstream) }?.client
    }

    private mutating func addNoneMatch(_ list: [UInt8], of fingerprint: String, _ selection: String?) {
        if list == [ASCII.asterisk] {
            fields.append(("If-None-Match", list))
            return
        }
        // An invalid list matches nothing.
        for tag in EntityTag.list(list) ?? [] {
            guard let split = TagSuffix.split(tag), (split.fingerprint, split.fields) == (fingerprint, selection) else {
                continue
            }
            tags.append(ForwardedTag(client: tag, upstream: split.upstream))
        }
        guard !tags.isEmpty else { return }
        // Each tag once: clients may have one tag in several codings.
        var known: Set<EntityTag> = []
        let sent = tags.map(\.upstream).filter { known.insert($0).inserted }
        fields.append(("If-None-Match", Self.list(sent)))
    }

    /// If the date is older than the profile's last change, it says nothing about the current output, so it is not
    /// sent.
    private mutating func addModifiedSince(_ received: Fields, _ conversion: ResponseConversion, _ now: Int64) {
        guard let value = received.bytes(for: "if-modified-since"), let moment = HTTPDate.seconds(value, now: now),
            moment >= conversion.modifiedSeconds
        else { return }
        fields.append(("If-Modified-Since", Array(value)))
    }

    /// The lists without the suffixes of the routes' plans. An invalid list does not change.
    private static func unsuffixed(_ list: [UInt8], _ fingerprints: Set<String>) -> [UInt8] {
        guard let tags = EntityTag.list(list) else { return list }
        return Self.list(
            tags.map { tag in
                guard let split = TagSuffix.split(tag), fingerprints.contains(split.fingerprint) else { return tag }
                return split.upstream
            })
    }

    private static func list(_ tags: [EntityTag]) -> [UInt8] { Array(tags.map(\.bytes).joined(separator: ", ".utf8)) }
}
