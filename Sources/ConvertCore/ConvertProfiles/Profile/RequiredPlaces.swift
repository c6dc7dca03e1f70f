import ConvertEngine

/// A profile's `require` section: pointers to values that a payload must contain.
extension ProfileReader {
    mutating func readRequires(_ id: NodeID) -> [PlacedSelector] {
        var places: [PlacedSelector] = []
        for element in elements(id) {
            guard let text = text(element, expected: "a pointer") else { continue }
            let place = place(element)
            guard let selector = pointer(parsing: Array(text.utf8), at: place, in: "require") else { continue }
            guard selector.pointerSegments.last != .anyOne else {
                refuse(place, "a required path cannot end in `*`", hint: "name the key that must exist")
                continue
            }
            places.append(PlacedSelector(selector: selector, place: place))
        }
        return places
    }
}
