import ConvertEngine

/// A profile's `require` section: pointers to values that a payload must contain.
extension ProfileReader {
    mutating func readRequires(_ id: NodeID) -> [LocatedSelector] {
        var selectors: [LocatedSelector] = []
        for element in elements(id) {
            guard let selector = pointer(element, in: "require") else { continue }
            guard selector.pointerSegments.last != .anyOne else {
                refuse(element, "a required path cannot end in `*`", hint: "name the key that must exist")
                continue
            }
            selectors.append(LocatedSelector(selector: selector, location: location(element)))
        }
        return selectors
    }
}
