extension Dictionary {
    /// Of pairs with the same key, keeps the first.
    package init(keepingFirst pairs: some Sequence<Element>) {
        self.init()
        for (key, value) in pairs where self[key] == nil { self[key] = value }
    }
}
