extension Plan {
    package static func temporary(_ rule: KeyCaseRule, dup: Bool) -> Plan {
        Plan(output: OutputOptions(), limits: Limits(), caseRule: rule, policies: Policies(duplicateKey: dup ? .error : .keep))
    }
}
