/// The states that a table of allowed actions leads to from `first`, each once.
func reachableStates<State: Equatable, Action>(
    from first: State, by actions: [Action], _ after: (State, Action) -> State?
) -> [State] {
    var reached = [first]
    var index = 0
    while index < reached.count {
        for action in actions {
            if let next = after(reached[index], action), !reached.contains(next) { reached.append(next) }
        }
        index += 1
    }
    return reached
}
