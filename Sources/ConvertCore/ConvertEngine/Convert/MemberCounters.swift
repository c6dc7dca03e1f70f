import ConvertText

/// What is there of what open containers must hold (`require`) or are given (`defaults`).
///
/// There is a count of members for each requirement and each addition of every such container, those of the innermost container last.
/// What containers leave there is not cleared, so that one of many requirements costs what it holds: each count says whose it is. In a
/// held object records that meet a requirement may turn out bad later: that has counts of its own for as long as it is there.
struct MemberCounters: ~Copyable, Sendable {
    struct Counter: BitwiseCopyable, Sendable {
        /// The members that are there.
        var count: Int32 = 0
        /// The number that the held object has given the requirement, or -1.
        var met: Int32 = -1
        /// The container that it is of.
        var container = 0
    }

    struct OpenContainer: BitwiseCopyable, Sendable {
        let depth: Int
        /// What tells its counters from those that another left behind.
        let number: Int
        /// Where its counters begin: of requirements, then of additions.
        let start: Int
        let requirements: Int
        let end: Int
        var metRequirements = 0
        /// The requirement that the member being read meets, and the addition that it makes needless, or -1.
        var requirement: Int32 = -1
        var addition: Int32 = -1
    }

    private(set) var counters = UniqueArray<Counter>()
    private var open = UniqueArray<OpenContainer>()
    /// Containers that must hold something, or are given it, that have begun so far.
    private(set) var containers = 0

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { counters.storedBytes + open.storedBytes }

    /// Whether the container at this depth, which is the innermost one, must hold something or is given it.
    @inline(__always)
    func count(in depth: Int) -> Bool { !open.isEmpty && open[open.count - 1].depth == depth }

    /// Such a container begins.
    mutating func begin(at depth: Int, _ contract: ObjectContract) {
        let start = open.isEmpty ? 0 : open[open.count - 1].end
        let end = start + contract.requirements.count + contract.additions.count
        while counters.count < end { counters.append(Counter()) }
        containers &+= 1
        open.append(
            OpenContainer(
                depth: depth, number: containers, start: start, requirements: contract.requirements.count, end: end))
    }

    /// The container at this depth is over.
    mutating func end(at depth: Int) { if count(in: depth) { _ = open.removeLast() } }

    /// No container is open any more.
    mutating func removeAll() { open.removeAll() }

    /// A member of the container at this depth, the innermost one, begins.
    @inline(__always)
    mutating func memberBegins(in depth: Int) {
        if count(in: depth) { (open[open.count - 1].requirement, open[open.count - 1].addition) = (-1, -1) }
    }

    /// The member meets this requirement, if it is not -1.
    @inline(__always)
    mutating func meet(requirement: Int32, in depth: Int) {
        guard requirement >= 0, count(in: depth) else { return }
        open[open.count - 1].requirement = requirement
        count(requirement: Int(requirement), 1)
    }

    /// The requirement that the member meets, or -1.
    func requirement(in depth: Int) -> Int { count(in: depth) ? Int(open[open.count - 1].requirement) : -1 }

    /// The member meets no requirement after all.
    mutating func takeBackRequirement(in depth: Int) {
        let requirement = requirement(in: depth)
        guard requirement >= 0 else { return }
        open[open.count - 1].requirement = -1
        count(requirement: requirement, -1)
    }

    private mutating func count(requirement index: Int, _ change: Int32) {
        let wasMet = isMet(index)
        add(change, to: index)
        let isMet = isMet(index)
        if isMet != wasMet { open[open.count - 1].metRequirements += isMet ? 1 : -1 }
    }

    /// The member makes this addition needless, if it is not -1.
    @inline(__always)
    mutating func hold(addition: Int32, in depth: Int) {
        guard addition >= 0, count(in: depth) else { return }
        open[open.count - 1].addition = addition
        add(1, to: open[open.count - 1].requirements + Int(addition))
    }

    /// The member is taken back, and with it the addition is needed again.
    mutating func takeBackAddition(in depth: Int) {
        guard count(in: depth), open[open.count - 1].addition >= 0 else { return }
        add(-1, to: open[open.count - 1].requirements + Int(open[open.count - 1].addition))
        open[open.count - 1].addition = -1
    }

    private mutating func add(_ change: Int32, to index: Int) {
        var counter = counter(index)
        counter.count += change
        counters[open[open.count - 1].start + index] = counter
    }

    private func counter(_ index: Int) -> Counter {
        let container = open[open.count - 1]
        let known = counters[container.start + index]
        return known.container == container.number ? known : Counter(container: container.number)
    }

    /// Whether the innermost of these containers holds what is required.
    private func isMet(_ index: Int) -> Bool { counter(index).count > 0 }

    /// The first requirement that the innermost of these containers does not meet.
    func firstUnmet() -> Int? {
        let container = open[open.count - 1]
        guard container.metRequirements < container.requirements else { return nil }
        return (0..<container.requirements).first { !isMet($0) }
    }

    /// Whether nothing makes an addition to the innermost of these containers needless.
    func lacks(addition index: Int) -> Bool { !isMet(open[open.count - 1].requirements + index) }

    /// The number that the held object has given a requirement, or -1.
    func met(_ index: Int) -> Int32 { counter(index).met }

    mutating func setMet(_ index: Int, to met: Int32) {
        var counter = counter(index)
        counter.met = met
        counters[open[open.count - 1].start + index] = counter
    }
}

/// `require`, and `defaults` where nothing is held.
extension Engine {
    /// Begins a container that must hold something or is given it.
    mutating func beginContract() {
        keys.makeRoom(&containers, &valueState)
        counters.begin(at: containers.depth, keys.paths.contract(of: containers.top.state))
    }

    /// Has the held object know that a member of the innermost container meets its requirement.
    mutating func noteRequirement(of node: Int) {
        let index = counters.requirement(in: containers.depth)
        guard index >= 0 else { return }
        let met = hold.noteRequirement(
            keys.paths.contract(of: containers.top.state).requirements[index], of: node, met: counters.met(index),
            keepsLast: plan.policies.duplicateKey == .last)
        counters.setMet(index, to: met)
    }

    /// Judges what the container that ends now lacks.
    mutating func checkRequirements(at position: Int) throws(Fault) {
        guard let index = counters.firstUnmet() else { return }
        missing = keys.paths.contract(of: containers.top.state).requirements[index]
        try report(Fault(kind: .missing, position: position))
    }

    /// Notes that the element that begins may be one that is required.
    mutating func meetRequirement() {
        let index = Array(String(containers.top.index).utf8)
        guard let requirement = keys.paths.contract(of: containers.top.state).requirement(named: index) else { return }
        counters.meet(requirement: Int32(requirement), in: containers.depth)
    }

    /// A scalar where something is required further down.
    mutating func requireContainer(at position: Int) throws(Fault) {
        guard !payload.records.isBad, let requirement = keys.paths.contract(of: valueState).requirements.first else {
            return
        }
        missing = requirement
        try report(Fault(kind: .missing, position: position))
    }

    /// Writes the members that the object lacks.
    mutating func addAbsentMembers(_ output: inout ByteBuffer) throws(Fault) {
        let contract = keys.paths.contract(of: containers.top.state)
        var long: Set<[UInt8]> = []
        for (index, addition) in contract.additions.enumerated() where counters.lacks(addition: index) {
            if let text = addition.text { try add(text, &output) } else { long.insert(addition.name) }
        }
        guard !long.isEmpty else { return }
        for case let text? in keys.paths.spelledAdditions(long, of: containers.top.state).map({ $0.text }) {
            try add(text, &output)
        }
    }

    /// Writes comma, quoted name, colon and value of a member that the object lacks.
    private mutating func add(_ text: [UInt8], _ output: inout ByteBuffer) throws(Fault) {
        if sortsText { sorting.memberBegins(at: output.count, in: containers.depth) }
        if indent > 0 {
            try writeIndented(text, &output)
        } else {
            output.append(containers.top.isEmpty ? Array(text.dropFirst()) : text)
        }
        containers.top.isEmpty = false
    }

    private mutating func writeIndented(_ text: [UInt8], _ output: inout ByteBuffer) throws(Fault) {
        if !containers.top.isEmpty { output.append(ASCII.comma) }
        appendNewLine(&output, level: containers.depth)
        // The name ends at the first quote behind the opening one that has no backslash before it.
        var end = 2
        while text[end] != ASCII.quote { end += text[end] == ASCII.backslash ? 2 : 1 }
        output.append(Array(text[1...end]))
        output.append(ASCII.colon)
        output.append(ASCII.space)
        // It was read as JSON already.
        try write(json: Array(text[(end + 2)...]), &output)
    }
}
