#if YAML
    import CYAML
    import Text

    // libyaml has the address of its parser and of the input while the parser exists. Both are allocated here, so they do not move.
    // The texts of an event are copied before the event is deleted.

    /// The events of a text in YAML 1.1 or 1.2, read by the system's libyaml. Only this file calls the library.
    @safe
    struct YAMLParser: ~Copyable {
        private let parser: UnsafeMutablePointer<yaml_parser_t>
        private let input: UnsafeMutableBufferPointer<UInt8>

        init(_ text: [UInt8]) {
            unsafe parser = .allocate(capacity: 1)
            unsafe input = .allocate(capacity: text.count)
            _ = unsafe input.initialize(fromContentsOf: text)
            // It fails only if there is no memory.
            let succeeded = unsafe yaml_parser_initialize(parser)
            precondition(succeeded == 1, "libyaml has no memory")
            unsafe yaml_parser_set_input_string(parser, input.baseAddress, text.count)
        }

        deinit {
            unsafe yaml_parser_delete(parser)
            unsafe parser.deallocate()
            unsafe input.deallocate()
        }

        /// The next event, and where it begins.
        mutating func next() throws(YAMLError) -> (YAMLEvent, YAMLMark) {
            var event = unsafe yaml_event_t()
            guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error() }
            defer { unsafe yaml_event_delete(&event) }
            return unsafe (Self.copy(of: event), YAMLMark(event.start_mark))
        }

        private func error() -> YAMLError {
            let reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "the text cannot be read"
            guard unsafe parser.pointee.error == YAML_READER_ERROR else {
                return unsafe YAMLError(YAMLMark(parser.pointee.problem_mark), reason)
            }
            // An error of the encoding has an offset in bytes, and no mark.
            let before = unsafe UnsafeBufferPointer(rebasing: input.prefix(parser.pointee.problem_offset))
            let line = unsafe before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
            let text = unsafe String(decoding: before[line...], as: UTF8.self)
            let mark = unsafe YAMLMark(
                line: before.count { $0 == ASCII.lineFeed }, column: text.unicodeScalars.count)
            return YAMLError(mark, reason)
        }

        private static func copy(of event: yaml_event_t) -> YAMLEvent {
            switch unsafe event.type {
            case YAML_DOCUMENT_START_EVENT: return .documentBegins
            case YAML_STREAM_END_EVENT: return .streamEnds
            case YAML_ALIAS_EVENT: return unsafe .alias(text(event.data.alias.anchor) ?? "")
            case YAML_SCALAR_EVENT:
                let scalar = unsafe event.data.scalar
                let content = unsafe Array(UnsafeBufferPointer(start: scalar.value, count: scalar.length))
                let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
                return unsafe .scalar(content, isPlain: isPlain, tag: text(scalar.tag), anchor: text(scalar.anchor))
            case YAML_SEQUENCE_START_EVENT:
                let sequence = unsafe event.data.sequence_start
                return unsafe .sequenceBegins(tag: text(sequence.tag), anchor: text(sequence.anchor))
            case YAML_MAPPING_START_EVENT:
                let mapping = unsafe event.data.mapping_start
                return unsafe .mappingBegins(tag: text(mapping.tag), anchor: text(mapping.anchor))
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .collectionEnds
            default: return .other
            }
        }

        private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
            unsafe pointer.map { unsafe String(cString: $0) }
        }
    }

    extension YAMLMark {
        fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line), column: Int(mark.column)) }
    }
#endif
