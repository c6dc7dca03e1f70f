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
    private(set) var fields: [(name: String, value: String)] = []
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
        let noneMatch = received.values(for: "if-none-match")
        let isRead = method == .get || method == .head
        if let conversion, isRead {
            addNoneMatch(noneMatch, of: conversion.fingerprint.digits, selection?.digits)
            // The tags take precedence over the date (RFC 9110 §13.1.3). Without them, the upstream would use the date.
            if noneMatch.isEmpty { addModifiedSince(received, conversion, now) }
        } else {
            if !noneMatch.isEmpty {
                let value = isRead ? noneMatch.joined(separator: ", ") : Self.unsuffixed(noneMatch, fingerprints)
                fields.append(("If-None-Match", value))
            }
            for value in received.values(for: "if-modified-since") { fields.append(("If-Modified-Since", value)) }
        }
        let match = received.values(for: "if-match")
        if !match.isEmpty { fields.append(("If-Match", Self.unsuffixed(match, fingerprints))) }
    }

    /// The ETag of a 304: the client's ETag that corresponds to the upstream's, nil if none does.
    ///
    /// - Parameter upstream: the ETag of the response; without one, it must be the condition's only ETag.
    func matched(by upstream: EntityTag?) -> EntityTag? {
        guard let upstream else { return tags.count == 1 ? tags[0].client : nil }
        return tags.first { $0.upstream.matchesWeakly(upstream) }?.client
    }

    private mutating func addNoneMatch(_ values: [String], of fingerprint: String, _ selection: String?) {
        if values.contains(where: { Substring($0.utf8[...].trimmed) == "*" }) {
            fields.append(("If-None-Match", "*"))
            return
        }
        // An invalid list matches nothing.
        for tag in EntityTag.list(values) ?? [] {
            guard let split = TagSuffix.split(tag), (split.fingerprint, split.fields) == (fingerprint, selection) else {
                continue
            }
            tags.append(ForwardedTag(client: tag, upstream: split.upstream))
        }
        guard !tags.isEmpty else { return }
        // Each tag once: clients may have one tag in several codings.
        var known: Set<EntityTag> = []
        let sent = tags.map(\.upstream).filter { known.insert($0).inserted }
        fields.append(("If-None-Match", sent.map(\.description).joined(separator: ", ")))
    }

    /// If the date is older than the profile's last change, it says nothing about the current output, so it is not
    /// sent.
    private mutating func addModifiedSince(_ received: Fields, _ conversion: ResponseConversion, _ now: Int64) {
        guard let value = received.bytes(for: "if-modified-since"), let moment = HTTPDate.seconds(value, now: now),
            moment >= conversion.modifiedSeconds
        else { return }
        fields.append(("If-Modified-Since", String(decoding: value, as: UTF8.self)))
    }

    /// The lists without the suffixes of the routes' plans. An invalid list does not change.
    private static func unsuffixed(_ values: [String], _ fingerprints: Set<String>) -> String {
        let joined = values.joined(separator: ", ")
        guard let tags = EntityTag.list(values) else { return joined }
        return tags.map { tag in
            guard let split = TagSuffix.split(tag), fingerprints.contains(split.fingerprint) else { return tag }
            return split.upstream
        }.map(\.description).joined(separator: ", ")
    }
}
