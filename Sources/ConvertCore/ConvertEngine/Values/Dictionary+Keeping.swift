extension Dictionary {
    /// Creates a dictionary that keeps the first of several pairs with the same key.
    package init(keepingFirst pairs: some Sequence<Element>) {
        self.init()
        for (key, value) in pairs where self[key] == nil { self[key] = value }
    }
}
