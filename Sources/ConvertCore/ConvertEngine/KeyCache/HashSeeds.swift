/// The seeds of all hashes of keys in this process, so that nobody can choose keys that share a slot of a table.
enum HashSeeds {
    static let first = UInt64.random(in: .min ... .max)
    static let second = UInt64.random(in: .min ... .max)
}
