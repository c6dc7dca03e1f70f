/// `duplicateKey: last`: of the members with one input key only the last one stays.
extension HeldTree {
    /// Removes the earlier ones from every object. Returns the objects that lost some. The text must be padded with slack.
    mutating func removeRepetitions(_ names: inout NameTable) -> [Int] {
        (0..<nodes.count).filter { object in
            nodes[object][.holdsRepetition] && !nodes[object][.isRemoved] && removeRepetitions(in: object, &names)
        }
    }

    private mutating func removeRepetitions(in object: Int, _ names: inout NameTable) -> Bool {
        var removesSome = false
        names.begin(.input, room: count(of: object))
        var child = nodes[object].firstChild
        while child >= 0 {
            let slot = names.insert(Int(child), in: self)
            let earlier = names.holders[slot]
            if earlier >= 0 {
                remove(Int(earlier), for: .repetition)
                removesSome = true
            }
            names.holders[slot] = child
            child = nodes[Int(child)].next
        }
        return removesSome
    }
}
