import Conversions
import ConvertEngine
package import HTTPSemantics
package import HTTPWire
import Observability
import Text
package import Upstreams

/// An upstream's final response as it is forwarded to the client, decided from its header alone.
package struct ForwardedResponse: Sendable {
    package let status: Int
    /// Without Date and the fields of framing and of the connection.
    package let fields: Fields
    /// The upstream's Date, if it sent one that is a date.
    package let date: ArraySlice<UInt8>?
    /// How the body is handled; nil on routes without `response`, where it passes unchanged.
    package let ruling: ResponseRuling?
    /// Whether the upstream's Content-Length is sent although no body follows, for HEAD and with 304: it is the length
    /// of a body that passes unchanged.
    var keepsLength: Bool {
        switch ruling?.decision {
        case nil, .skip(.some): true
        case .convert, .skip(nil), .refuse: false
        }
    }

    /// - Parameters:
    ///   - server: the server that sent the response.
    ///   - now: seconds since 1970, for a response without Date.
    ///   - finding: facts about the body that are not in the head.
    ///   - sparesEncoder: whether there is no room for an encoder.
    /// - Throws: 502 if the response cannot be converted and the route does not let it pass.
    package init(
        status: Int, _ upstream: Fields, to request: ForwardedRequest, from server: UpstreamServer, host: HostPolicy,
        now: Int64, finding: BodyFinding = .expected, sparesEncoder: Bool = false
    ) throws(Problem) {
        self.status = status
        let text = upstream.bytes(for: "date")
        let dateSeconds = text.flatMap { HTTPDate.seconds($0, now: now) }
        date = dateSeconds == nil ? nil : text
        let nominated = upstream.nominated()
        let received = nominated.isEmpty ? upstream : upstream.endToEnd(omitting: FieldNames(), nominated: nominated)
        let conversion = request.route.response
        ruling = try conversion.map { conversion throws(Problem) in
            // The length belongs to the framing, but shows whether there is a body to convert.
            var ruling = ResponseRuling(
                status: status, upstream, policy: conversion.policy, accepted: request.accepted,
                sparesEncoder: sparesEncoder)
            ruling.apply(finding)
            if case .refuse(let reason) = ruling.decision { throw Self.refusal(reason) }
            return ruling
        }
        let countsRecords = conversion?.recipe.plan.sparesRecords ?? false
        var fields = received.endToEnd(omitting: Self.omitted(status, ruling, countsRecords), nominated: FieldNames())
        Self.addLocations(received, to: &fields, request, server, host)
        Self.addUpgrade(status, upstream, to: &fields, request)
        fields.append("X-Request-Id", request.requestID)
        guard let conversion, let ruling else {
            self.fields = fields
            return
        }
        if ruling.isConverted, !ruling.isLabelled {
            let isLines = ruling.decision == .convert(.lines)
            fields.append("Content-Type", isLines ? "application/x-ndjson" : "application/json")
        }
        Self.addVary(received, to: &fields)
        fields.append("Accept-Ranges", "none")
        if ruling.isConverted, let coding = ruling.responseCoding.fieldValue {
            fields.append("Content-Encoding", coding)
        }
        if let tag = Self.tag(status, received, request, conversion, ruling) { fields.append("ETag", bytes: tag[...]) }
        if let modified = Self.lastModified(received, conversion, notAfter: dateSeconds ?? now, now) {
            fields.append("Last-Modified", bytes: modified)
        }
        if request.method != .head, let convertStatus = ruling.convertStatus {
            fields.append(Self.convertStatusName, convertStatus)
        }
        self.fields = fields
    }

    private static func omitted(_ status: Int, _ ruling: ResponseRuling?, _ countsRecords: Bool) -> FieldNames {
        guard let ruling else { return always }
        // A cache takes the fields of a 304 for its stored response, whose type may be another one.
        if status == 304 { return relabelled }
        // Fields about an absent body describe the upstream's body, which the client must not know.
        guard ruling.isConverted else { return ruling.decision == .skip(nil) ? changed : unchanged }
        return !ruling.isLabelled ? relabelled : countsRecords ? counted : changed
    }

    static let convertStatusName = "Convert-Status"

    private static let always = FieldNames(base)
    private static let unchanged = FieldNames(base + validators)
    private static let changed = FieldNames(base + validators + ContentFields.names)
    private static let counted = FieldNames(
        base + validators + ContentFields.names + skippedRecords)
    private static let relabelled = FieldNames(
        base + validators + ContentFields.names + skippedRecords + ["content-type"])

    private static let skippedRecords = SkippedRecords.fieldNames.map { $0.lowercased() }
    private static let base = linkFields + ["convert-status", "date", "x-request-id"]
    private static let linkFields = LocationRewriting.names + ["link"]
    private static let validators = ["etag", "last-modified", "accept-ranges"]

    private static func refusal(_ reason: SkipReason) -> Problem {
        Problem(502, "the upstream's response cannot be converted: \(reason.rawValue)", code: "not-convertible")
    }
}

// MARK: - Fields

extension ForwardedResponse {
    private static func addLocations(
        _ received: Fields, to fields: inout Fields, _ request: ForwardedRequest, _ server: UpstreamServer,
        _ host: HostPolicy
    ) {
        guard linkFields.contains(where: { received.count(of: $0) > 0 }) else { return }
        let rewriting = request.locations(from: server, host)
        for name in ["Location", "Content-Location"] {
            for index in 0..<received.count where received.isName(at: index, name) {
                fields.append(name, bytes: rewriting.rewrite(received.valueBytes(at: index)))
            }
        }
        addLinks(received, to: &fields, request, rewriting)
    }

    /// Adds the Link fields of a response, or of an interim response.
    static func addLinks(
        _ received: Fields, to fields: inout Fields, _ request: ForwardedRequest, _ rewriting: LocationRewriting
    ) {
        for index in 0..<received.count where received.isName(at: index, "Link") {
            let value = received.valueBytes(at: index)
            fields.append("Link", bytes: request.route.links.map { $0.rewrite(value, rewriting)[...] } ?? value)
        }
    }

    /// Adds the protocols that a 426 requires (RFC 9110 §15.5.22), if clients can switch to them through the gateway.
    private static func addUpgrade(
        _ status: Int, _ upstream: Fields, to fields: inout Fields, _ request: ForwardedRequest
    ) {
        guard status == 426, let upgrade = request.route.upgrades(in: upstream) else { return }
        fields.append("Upgrade", upgrade)
    }

    /// Adds Vary, because the response depends on Accept-Encoding, unless the upstream has sent it.
    private static func addVary(_ received: Fields, to fields: inout Fields) {
        let isSaid = received.lists("accept-encoding", in: "vary") || received.lists("*", in: "vary")
        if !isSaid { fields.append(Problem.Field.variesByCoding.name, Problem.Field.variesByCoding.value) }
    }

    /// The ETag for the client: for a 304 the client's tag that matched, else the upstream's tag with the suffix of the
    /// plan.
    private static func tag(
        _ status: Int, _ received: Fields, _ request: ForwardedRequest, _ conversion: ResponseConversion,
        _ ruling: ResponseRuling
    ) -> [UInt8]? {
        let written = received.bytes(for: "etag")
        let upstream = written.flatMap { EntityTag($0) }
        if status == 304, let matched = request.conditions.matched(by: upstream) {
            return matched.bytes
        }
        guard let written, upstream != nil else { return nil }
        // A 304 does not describe the client's body. A 200 of this route would be converted.
        let isConverted = ruling.isConverted || status == 304
        return TagSuffix.appended(
            to: written, isConverted: isConverted, conversion.fingerprint, fields: request.selection?.digits,
            coding: isConverted ? ruling.responseCoding : .identity)
    }

    /// The later one of the upstream's and the profile's, but not later than the response. Nil if the upstream's is
    /// missing or invalid.
    private static func lastModified(
        _ received: Fields, _ conversion: ResponseConversion, notAfter date: Int64, _ now: Int64
    ) -> ArraySlice<UInt8>? {
        guard let written = received.bytes(for: "last-modified"), let upstream = HTTPDate.seconds(written, now: now)
        else {
            return nil
        }
        let moment = min(max(upstream, conversion.modifiedSeconds), date)
        // The common case uses the text that is already formatted.
        if moment == conversion.modifiedSeconds { return conversion.modifiedDate[...] }
        return moment == upstream && HTTPDate.isFixdate(written) ? written : HTTPDate.imfFixdate(moment)[...]
    }
}
