import ConvertEngine
import HTTPSemantics
import Text

/// Replaces the names of keys in the queries of a route, as the route's profile for requests does in bodies.
///
/// Everything else stays as the client wrote it: the order of parameters, those that name no keys, and escapes.
struct QueryNames: Sendable {
    fileprivate let rule: QueryRule
    /// How request bodies are converted.
    fileprivate let plan: Plan
    /// The plan that withholds data from responses. It reads the keys of the upstream.
    fileprivate let responsePlan: Plan?
    /// Whether the route withholds data. Then every name must be understood.
    fileprivate let isStrict: Bool
    /// If the route withholds data, the values that name keys, by the names of parameters that the upstream gets.
    fileprivate var upstreamValues = QueryRule()

    init(_ rule: QueryRule, plan: Plan, withholdsRequests: Bool, withholdingResponses responsePlan: Plan?) {
        isStrict = withholdsRequests || responsePlan != nil
        self.rule = isStrict ? rule.lowercased : rule
        self.plan = plan
        self.responsePlan = responsePlan
        if isStrict { upstreamValues = upstreamRule(of: rule).lowercased }
    }

    /// A rule with the names of parameters that the upstream gets, instead of those that clients write. Patterns with a star stay.
    func upstreamRule(of rule: QueryRule) -> QueryRule {
        func convert(_ pattern: ParameterPattern) -> ParameterPattern {
            guard let name = pattern.name, let converted = try? converted(name[...]),
                let name = QueryText(decoding: converted)
            else { return pattern }
            return ParameterPattern(name: name.bytes)
        }
        var upstream = rule
        upstream.names = rule.names.map(convert)
        upstream.values = rule.values.map { QueryRule.Value(convert($0.pattern), $0.syntax) }
        return upstream
    }

    /// The query for the upstream. Throws 400 if it names a key that the route withholds or refuses.
    func converted(_ query: ArraySlice<UInt8>) throws(Problem) -> ArraySlice<UInt8> {
        var conversion = QueryConversion(self)
        for (index, parameter) in query.split(separator: ASCII.ampersand, omittingEmptySubsequences: false).enumerated()
        {
            if index > 0 { conversion.output.append(ASCII.ampersand) }
            try conversion.append(parameter)
        }
        return conversion.output[...]
    }
}

private struct QueryConversion: ~Copyable {
    var output: [UInt8] = []
    private let names: QueryNames
    private let nameForm: NameForm
    /// Created when the first parameter names a key.
    private var lookup: NameTranslator?
    private var responseLookup: NameTranslator?
    private var keyCount = 0

    init(_ names: QueryNames) {
        self.names = names
        nameForm = NameForm(outside: .path, separator: names.rule.separator, of: names.rule.base)
    }

    /// Appends a parameter with the names of the upstream.
    mutating func append(_ parameter: ArraySlice<UInt8>) throws(Problem) {
        let equals = parameter.firstIndex(of: ASCII.equals)
        let written = parameter[..<(equals ?? parameter.endIndex)]
        // Some backends split queries at semicolons, too.
        if names.isStrict, parameter.contains(ASCII.semicolon) { throw Self.unreadable(written) }
        guard let name = QueryText(decoding: written), !names.isStrict || Self.isPlain(name, written) else {
            if names.isStrict { throw Self.unreadable(written) }
            output += parameter
            return
        }
        let start = output.count
        // Some backends ignore the case of parameters.
        let found = names.isStrict ? name.bytes.map(ASCII.lowercased) : name.bytes
        if let keys = names.rule.keys(in: found) {
            output += name.written(0..<keys.lowerBound)
            try append(name, keys, nameForm, of: name)
            output += name.written(keys.upperBound..<name.bytes.count)
        } else {
            output += written
        }
        guard let equals else { return }
        var syntax = names.rule.syntax(ofValueOf: found)
        if syntax == nil, names.isStrict { syntax = upstreamSyntax(ofValueOf: output[start...]) }
        output.append(ASCII.equals)
        let value = parameter[(equals + 1)...]
        guard let syntax else {
            output += value
            return
        }
        guard let text = QueryText(decoding: value) else {
            if names.isStrict { throw Self.unreadable(written) }
            output += value
            return
        }
        let form = NameForm(outside: syntax, separator: names.rule.separator, of: names.rule.base)
        try append(text, 0..<text.bytes.count, form, of: name)
    }

    /// How the value of a parameter names keys, by the name that the upstream gets. Clients may write that name, too. PHP reads a dot in it
    /// as an underscore.
    private func upstreamSyntax(ofValueOf written: ArraySlice<UInt8>) -> NameForm.OutsideSyntax? {
        guard let name = QueryText(decoding: written)?.bytes.map(ASCII.lowercased) else { return nil }
        let values = names.upstreamValues
        return values.syntax(ofValueOf: name)
            ?? values.syntax(ofValueOf: name.map { $0 == ASCII.dot ? ASCII.underscore : $0 })
    }

    /// Whether all backends read a name alike: forms write a space as `+`.
    private static func isPlain(_ name: QueryText, _ written: ArraySlice<UInt8>) -> Bool {
        name.bytes.allSatisfy(ASCII.isVisible) && !written.contains(ASCII.plus)
    }

    /// Appends a part of a text that names keys.
    private mutating func append(
        _ text: QueryText, _ range: Range<Int>, _ form: NameForm, of parameter: QueryText
    ) throws(Problem) {
        var request = lookup.take() ?? NameTranslator(names.plan)
        let named = request.follow(Array(text.bytes[range]), form)
        lookup = consume request
        guard let named else {
            if names.isStrict { throw Self.unreadable(parameter) }
            output += text.written(range)
            return
        }
        try check(named, of: parameter)
        var meaning: [UInt8] = []
        var start = range.lowerBound
        for piece in named.pieces {
            let source = start..<(start + piece.count)
            if names.isStrict, piece.isKey, !text.bytes[source].allSatisfy(Self.isOfName) {
                throw Self.unreadable(parameter)
            }
            if let replacement = piece.replacement {
                text.append(encoding: replacement, inPlaceOf: source, to: &output)
            } else {
                output += text.written(source)
            }
            if names.isStrict { meaning += piece.replacement ?? Array(text.bytes[source]) }
            start = source.upperBound
        }
        if names.isStrict { try checkWithholding(meaning, named, form, of: parameter) }
    }

    private mutating func check(_ named: NamedText, of parameter: QueryText) throws(Problem) {
        keyCount += named.keyCount
        guard keyCount <= NameTranslator.maxKeys else {
            throw Self.problem(parameter, "the query names more than \(NameTranslator.maxKeys) keys")
        }
        if named.isWithheld { throw Self.withheld(parameter) }
        if named.isRefused {
            throw Self.problem(parameter, "this parameter names a key that cannot be restored", code: "lossyKey")
        }
    }

    /// Refuses a text for the upstream with a key that is withheld from responses.
    ///
    /// The keys of a parameter's name are also looked up one by one: in `filter[password]`, the first one is not part of
    /// the path.
    private mutating func checkWithholding(
        _ text: [UInt8], _ named: NamedText, _ form: NameForm, of parameter: QueryText
    ) throws(Problem) {
        guard let plan = names.responsePlan else { return }
        var starts = [0]
        if form == nameForm {
            var start = 0
            for piece in named.pieces {
                if piece.isKey, start > 0 { starts.append(start) }
                start += piece.replacement?.count ?? piece.count
            }
            keyCount += (starts.count - 1) * named.keyCount
            guard keyCount <= NameTranslator.maxKeys else { throw Self.withheld(parameter) }
        }
        var response = responseLookup.take() ?? NameTranslator(plan)
        var isWithheld = false
        for start in starts where !isWithheld {
            let written = Array(text[start...])
            // Many databases ignore the case of columns. In some backends, a column can be `$name` or `@name`.
            let lowercased = written.map(ASCII.lowercased)
            let plain = lowercased.filter { !Self.signsOfColumns.contains($0) }
            isWithheld = Set([written, lowercased, plain]).contains { response.follow($0, form)?.isWithheld ?? true }
        }
        responseLookup = consume response
        if isWithheld { throw Self.withheld(parameter) }
    }

    // MARK: Refusals

    private static let signsOfColumns = Array("$@".utf8)
    private static let signsOfNames = Array("_-$@*".utf8)

    /// Whether a byte belongs to names in all backends. Some remove white space that is not ASCII, or fold letters to others.
    private static func isOfName(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || signsOfNames.contains(byte)
    }

    private static func unreadable(_ written: ArraySlice<UInt8>) -> Problem {
        .badParameter(
            String(decoding: written, as: UTF8.self), "this route withholds data, and cannot read this parameter")
    }

    private static func unreadable(_ parameter: QueryText) -> Problem { unreadable(parameter.bytes[...]) }

    private static func withheld(_ parameter: QueryText) -> Problem {
        problem(parameter, "this parameter names a key that the route withholds")
    }

    private static func problem(_ parameter: QueryText, _ detail: String, code: String? = nil) -> Problem {
        var problem = Problem.badParameter(String(decoding: parameter.bytes, as: UTF8.self), detail)
        if let code { problem.code = code }
        return problem
    }
}
