import ConvertText

/// Counts the members of open containers that meet requirements (`require`) or make additions (`defaults`) unnecessary.
///
/// Each such container has a counter for each requirement and each addition; those of the innermost container come last. Closed containers
/// leave their counters there, so that a container with many requirements costs only what it holds. Each counter therefore names its
/// container. In a buffered object, records that meet a requirement may turn out bad later, so the object has counts of its own (`met`).
struct MemberCounters: ~Copyable, Sendable {
    struct Counter: BitwiseCopyable, Sendable {
        /// The number of members that are there.
        var count: Int32 = 0
        /// The number that the buffered object gave the requirement, or -1.
        var met: Int32 = -1
        /// The container that the counter belongs to.
        var container = 0
    }

    struct OpenContainer: BitwiseCopyable, Sendable {
        let depth: Int
        /// The number that distinguishes its counters from those left by another container.
        let number: Int
        /// The index of its first counter: requirements come first, then additions.
        let start: Int
        let requirements: Int
        let end: Int
        var metRequirements = 0
        /// The requirement that the member being read meets, and the addition that it makes unnecessary; -1 for none.
        var requirement: Int32 = -1
        var addition: Int32 = -1
    }

    private(set) var counters = UniqueArray<Counter>()
    private var open = UniqueArray<OpenContainer>()
    /// How many containers with requirements or additions have begun so far.
    private(set) var containers = 0

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { counters.storedBytes + open.storedBytes }

    /// Whether the container at this depth, the innermost one, has requirements or additions.
    @inline(__always)
    func count(in depth: Int) -> Bool { !open.isEmpty && open[open.count - 1].depth == depth }

    /// Begins such a container.
    mutating func begin(at depth: Int, _ contract: ObjectContract) {
        let start = open.isEmpty ? 0 : open[open.count - 1].end
        let end = start + contract.requirements.count + contract.additions.count
        while counters.count < end { counters.append(Counter()) }
        containers &+= 1
        open.append(
            OpenContainer(
                depth: depth, number: containers, start: start, requirements: contract.requirements.count, end: end))
    }

    /// Ends the container at this depth.
    mutating func end(at depth: Int) { if count(in: depth) { _ = open.removeLast() } }

    /// Ends all containers.
    mutating func removeAll() { open.removeAll() }

    /// Begins a member of the container at this depth, the innermost one.
    @inline(__always)
    mutating func memberBegins(in depth: Int) {
        if count(in: depth) { (open[open.count - 1].requirement, open[open.count - 1].addition) = (-1, -1) }
    }

    /// Notes that the member meets this requirement, if it is not -1.
    @inline(__always)
    mutating func meet(requirement: Int32, in depth: Int) {
        guard requirement >= 0, count(in: depth) else { return }
        open[open.count - 1].requirement = requirement
        count(requirement: Int(requirement), 1)
    }

    /// The requirement that the member meets, or -1.
    func requirement(in depth: Int) -> Int { count(in: depth) ? Int(open[open.count - 1].requirement) : -1 }

    /// Notes that the member meets no requirement after all.
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

    /// Notes that the member makes this addition unnecessary, if it is not -1.
    @inline(__always)
    mutating func hold(addition: Int32, in depth: Int) {
        guard addition >= 0, count(in: depth) else { return }
        open[open.count - 1].addition = addition
        add(1, to: open[open.count - 1].requirements + Int(addition))
    }

    /// Notes that the member is removed again, so that the addition it replaced is needed.
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

    /// Whether the innermost of these containers has a member for the counter at this index.
    private func isMet(_ index: Int) -> Bool { counter(index).count > 0 }

    /// The first requirement that the innermost of these containers does not meet.
    func firstUnmet() -> Int? {
        let container = open[open.count - 1]
        guard container.metRequirements < container.requirements else { return nil }
        return (0..<container.requirements).first { !isMet($0) }
    }

    /// Whether no member of the innermost of these containers makes this addition unnecessary.
    func lacks(addition index: Int) -> Bool { !isMet(open[open.count - 1].requirements + index) }

    /// The number that the buffered object gave a requirement, or -1.
    func met(_ index: Int) -> Int32 { counter(index).met }

    mutating func setMet(_ index: Int, to met: Int32) {
        var counter = counter(index)
        counter.met = met
        counters[open[open.count - 1].start + index] = counter
    }
}

/// `require`, and `defaults` if nothing is buffered.
extension Engine {
    /// Begins a container that has requirements or additions.
    mutating func beginContract() {
        keys.makeRoom(&containers, &valueState)
        counters.begin(at: containers.depth, keys.paths.contract(of: containers.top.state))
    }

    /// Tells the buffered object that a member of the innermost container meets its requirement.
    mutating func noteRequirement(of node: Int) {
        let index = counters.requirement(in: containers.depth)
        guard index >= 0 else { return }
        let met = hold.object.noteRequirement(
            keys.paths.contract(of: containers.top.state).requirements[index], of: node, met: counters.met(index),
            keepsLast: plan.policies.duplicateKey == .last)
        counters.setMet(index, to: met)
    }

    /// Reports the first requirement that the ending container does not meet.
    mutating func checkRequirements(at position: Int) throws(EngineError) {
        guard let index = counters.firstUnmet() else { return }
        missing = keys.paths.contract(of: containers.top.state).requirements[index]
        try report(EngineError(kind: .missing, position: position))
    }

    /// Notes that the element that begins meets a requirement, if there is one for its index.
    mutating func meetRequirement() {
        let index = Array(String(containers.top.index).utf8)
        guard let requirement = keys.paths.contract(of: containers.top.state).requirement(named: index) else { return }
        counters.meet(requirement: Int32(requirement), in: containers.depth)
    }

    /// Reports a scalar at a path below which something is required. A byte that begins no value is not JSON, and the caller reports it.
    mutating func requireContainer(_ byte: UInt8, at position: Int) throws(EngineError) {
        switch byte {
        case ASCII.quote, ASCII.minus, ASCII.zero...ASCII.nine, ASCII.t, ASCII.f, ASCII.n: break
        default: return
        }
        guard !payload.records.isBad, let requirement = keys.paths.contract(of: valueState).requirements.first else {
            return
        }
        missing = requirement
        try report(EngineError(kind: .missing, position: position))
    }

    /// Writes the additions that the object lacks. Its end is at `position`.
    mutating func addAbsentMembers(_ output: inout ByteBuffer, at position: Int) throws(EngineError) {
        let contract = keys.paths.contract(of: containers.top.state)
        var long: Set<[UInt8]> = []
        for (index, addition) in contract.additions.enumerated() where counters.lacks(addition: index) {
            if let text = addition.text { add(text, &output) } else { long.insert(addition.name) }
        }
        guard !long.isEmpty else { return }
        guard let additions = keys.paths.spelledAdditions(long, of: containers.top.state) else {
            throw EngineError(kind: .addedLength, position: position)
        }
        for case let text? in additions.map({ $0.text }) { add(text, &output) }
    }

    /// Writes an addition. Its text is comma, quoted key, colon and value.
    private mutating func add(_ text: [UInt8], _ output: inout ByteBuffer) {
        if sortsText { sorting.memberBegins(SortedMember(mark: output.count, key: .unknown), in: containers.depth) }
        let member = text.span.extracting(droppingFirst: containers.top.isEmpty ? 1 : 0)
        output.append(member)
        containers.top.isEmpty = false
    }
}
