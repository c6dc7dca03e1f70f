/// A file that is generated from the table of commands and options: `convert-server --generate KIND`.
enum GeneratedFile: String, CaseIterable {
    case man, bash, zsh, fish

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    init(named name: String?) throws(Failure) {
        guard let name, let kind = GeneratedFile(rawValue: name) else {
            throw .usage("--generate needs one of \(Self.names)", command: nil)
        }
        self = kind
    }

    var text: String {
        switch self {
        case .man: ManualPage.text
        case .bash: ShellCompletions.bash
        case .zsh: ShellCompletions.zsh
        case .fish: ShellCompletions.fish
        }
    }
}
