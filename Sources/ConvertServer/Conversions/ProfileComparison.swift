package import ConvertEngine
package import ConvertProfiles
package import Text

/// A profile and its plan for the direction that is compared.
package struct ComparedProfile: Sendable {
    let profile: Profile
    let plan: Plan

    package init(_ profile: Profile, _ plan: Plan) {
        self.profile = profile
        self.plan = plan
    }
}

/// Converts payloads with two profiles, and counts where the outputs differ. It keeps keys of payloads, but no values.
package struct ProfileComparison: ~Copyable, Sendable {
    /// The result for one payload.
    package enum Outcome: Sendable, Hashable {
        case same, differs
        /// One profile cannot convert the payload, or both for different reasons.
        case error
        /// Both profiles cannot convert it, for the same reason.
        case unconvertible(ConversionError)
        /// The time was over. Nothing was counted.
        case cut
    }

    /// The longest payload for which the rules at differences are found, unless it may take any time.
    private static let maxExplainedBytes = 64 * 1024
    private static let sliceBytes = 16 * 1024

    private let old: ComparedProfile
    private let new: ComparedProfile
    private let keys: ShownKeys
    private let explainsAll: Bool
    private var oldConverter: Converter
    private var newConverter: Converter
    private var framing = Converter.Framing.document
    package private(set) var tally: DifferenceTally

    /// - Parameters:
    ///   - explainsAll: whether rules are found for payloads of any length, which takes any time.
    ///   - maxGroups: the most differences that are counted separately.
    package init(
        old: ComparedProfile, new: ComparedProfile, _ keys: ShownKeys,
        explainsAll: Bool = false, maxGroups: Int
    ) {
        self.old = old
        self.new = new
        self.keys = keys
        self.explainsAll = explainsAll
        oldConverter = Converter(old.plan)
        newConverter = Converter(new.plan)
        tally = DifferenceTally(maxGroups: maxGroups)
    }

    /// The payloads of a body: itself, or its lines without the blank ones.
    package static func payloads(of body: [UInt8], _ framing: Converter.Framing) -> [[UInt8]] {
        guard framing == .lines else { return [body] }
        return body.split(separator: ASCII.lineFeed).filter { !$0.allSatisfy(ASCII.isSpace) }.map { Array($0) }
    }

    /// Compares the outputs for one payload: a document, or a line of NDJSON without its end.
    ///
    /// - Parameter isOver: whether the work must end now.
    package mutating func add(
        _ payload: [UInt8], _ framing: Converter.Framing, _ isOver: () -> Bool = { false }
    ) -> Outcome {
        if framing != self.framing {
            self.framing = framing
            oldConverter = Converter(old.plan, framing: framing)
            newConverter = Converter(new.plan, framing: framing)
        }
        let oldOutput: [UInt8]?
        let newOutput: [UInt8]?
        switch (
            Self.convert(payload, &oldConverter, framing, isOver), Self.convert(payload, &newConverter, framing, isOver)
        ) {
        case (nil, _), (_, nil): return .cut
        case (.success(let first)?, .success(let second)?): (oldOutput, newOutput) = (first, second)
        case (.failure(let error)?, .failure(let other)?) where error.code == other.code: return .unconvertible(error)
        case (let first?, let second?):
            add(error: Self.error(in: first), Self.error(in: second))
            return .error
        }
        guard oldOutput != newOutput else { return .same }
        guard let oldOutput, let newOutput else {
            // A line that the profile's `records` leaves out.
            let kind = oldOutput == nil ? Difference.Kind.onlyInNew : .onlyInOld
            let rule = "records"
            let group = tally.add(Difference(kind: kind, path: ""))
            if let group {
                tally.explain(group, old: oldOutput == nil ? rule : nil, new: newOutput == nil ? rule : nil)
            }
            return .differs
        }
        guard old.plan.output.indent == 0, new.plan.output.indent == 0 else {
            return addIndented(oldOutput, newOutput, payload, isOver)
        }
        return add(oldOutput, newOutput, payload, isOver)
    }

    /// Compares outputs without their white space. If nothing else differs, that is the difference.
    private mutating func addIndented(
        _ oldOutput: [UInt8], _ newOutput: [UInt8], _ payload: [UInt8], _ isOver: () -> Bool
    ) -> Outcome {
        let plan = Plan.minify(limits: Limits(maxDepth: Limits.depths.upperBound, maxKeyBytes: .max))
        guard let oldText = try? plan.convert(oldOutput), let newText = try? plan.convert(newOutput) else {
            return .cut
        }
        guard oldText == newText else { return add(oldText, newText, payload, isOver) }
        if let group = tally.add(Difference(kind: .indent, path: "")) {
            tally.explain(
                group, old: old.plan.output.indent > 0 ? Self.indentRule : nil,
                new: new.plan.output.indent > 0 ? Self.indentRule : nil)
        }
        return .differs
    }

    private static let indentRule = "output.indent"

    private mutating func add(
        _ oldOutput: [UInt8], _ newOutput: [UInt8], _ payload: [UInt8], _ isOver: () -> Bool
    ) -> Outcome {
        var tally = tally
        var fresh: [(group: Int, found: OutputComparison.Found)] = []
        let isComplete = OutputComparison.compare(oldOutput, newOutput, keys, isOver) { found in
            if let group = tally.add(found.difference) { fresh.append((group, found)) }
        }
        guard isComplete else { return .cut }
        self.tally = tally
        explain(fresh, of: payload)
        return .differs
    }

    /// The output, without the end of a line; nil instead of a line that is left out, and as the result if the time is over.
    private static func convert(
        _ payload: [UInt8], _ converter: inout Converter, _ framing: Converter.Framing, _ isOver: () -> Bool
    ) -> Result<[UInt8]?, ConversionError>? {
        converter.reset()
        var output = ByteBuffer(capacity: payload.count)
        do throws(ConversionError) {
            var position = 0
            while position < payload.count {
                if isOver() { return nil }
                let end = min(position + sliceBytes, payload.count)
                try converter.convert(payload.span.extracting(position..<end), into: &output)
                position = end
            }
            try converter.finish(into: &output)
        } catch {
            return .failure(error)
        }
        var bytes = [UInt8](output)
        if framing == .lines, bytes.popLast() == nil { return .success(nil) }
        return .success(bytes)
    }

    private static func error(in result: Result<[UInt8]?, ConversionError>) -> ConversionError? {
        if case .failure(let error) = result { error } else { nil }
    }

    // MARK: Counting

    private mutating func add(error oldError: ConversionError?, _ newError: ConversionError?) {
        let difference = Difference(
            kind: .error, path: keys.path(of: (newError ?? oldError)?.pointer ?? ""), oldError: oldError?.code,
            newError: newError?.code)
        guard let group = tally.add(difference) else { return }
        tally.explain(
            group, old: oldError?.rule.map { RuleTrace.label(of: $0, in: old.profile) },
            new: newError?.rule.map { RuleTrace.label(of: $0, in: new.profile) })
    }

    /// Finds the rules that act where new differences are.
    private mutating func explain(_ fresh: [(group: Int, found: OutputComparison.Found)], of payload: [UInt8]) {
        guard !fresh.isEmpty, explainsAll || payload.count <= Self.maxExplainedBytes,
            let document = try? JSONDocumentParser.parse(payload, maxDepth: old.plan.limits.maxDepth)
        else { return }
        let nodes = document.nodes.count
        guard explainsAll || CheckRequest.isShort(nodes, old.profile) && CheckRequest.isShort(nodes, new.profile) else {
            return
        }
        guard let oldTrace = RuleTrace(old.profile, old.plan, on: document),
            let newTrace = RuleTrace(new.profile, new.plan, on: document)
        else { return }
        for (group, found) in fresh {
            let rules = RuleTrace.rules(
                old: oldTrace, found.oldPointer, new: newTrace, found.newPointer)
            tally.explain(group, old: rules.old, new: rules.new)
        }
    }
}

/// The differences of many payloads. Those of one kind at one path are counted together.
package struct DifferenceTally: Sendable {
    package struct Group: Sendable, Hashable {
        package let difference: Difference
        package fileprivate(set) var count = 1
        /// The rules that act at the first of these differences, such as `rename "/id"`; nil if there is none, or if the
        /// payload was too long to find it.
        package fileprivate(set) var oldRule: String?
        package fileprivate(set) var newRule: String?
    }

    private let maxGroups: Int
    /// In the order in which they were found.
    package private(set) var groups: [Group] = []
    private var indices: [Difference: Int] = [:]
    /// The number of differences that are in no group, because there are too many.
    package private(set) var others = 0

    package init(maxGroups: Int) { self.maxGroups = maxGroups }

    /// Counts a difference. Returns its group if it is new.
    mutating func add(_ difference: Difference) -> Int? {
        if let group = indices[difference] {
            groups[group].count += 1
            return nil
        }
        guard groups.count < maxGroups else {
            others += 1
            return nil
        }
        indices[difference] = groups.count
        groups.append(Group(difference: difference))
        return groups.count - 1
    }

    fileprivate mutating func explain(_ group: Int, old: String?, new: String?) {
        (groups[group].oldRule, groups[group].newRule) = (old, new)
    }

    /// Writes the members `differences` and `others`.
    package func write(to writer: inout JSONWriter) {
        writer.objects("differences", of: groups) { writer, group in
            writer.member("path", group.difference.path)
            writer.member("kind", group.difference.kind.rawValue)
            writer.member("count", group.count)
            writer.member("oldRule", group.oldRule)
            writer.member("newRule", group.newRule)
            writer.member("oldError", group.difference.oldError?.rawValue)
            writer.member("newError", group.difference.newError?.rawValue)
        }
        writer.member("others", others)
    }
}
