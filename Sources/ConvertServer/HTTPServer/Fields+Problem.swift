import HTTPSemantics
import HTTPWire

extension Fields {
    mutating func append(contentsOf fields: [Problem.Field]) {
        for field in fields { append(field.name, field.value) }
    }
}
