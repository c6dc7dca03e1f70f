/// A stream of events, the gateway's output for it, and the events that a client then gets.
struct EventStreamCase {
    let name: String
    let stream: String
    let output: String
    let events: [ReceivedEvent]

    /// The cases of web-platform-tests' `eventsource/format-*`, with JSON as data if the case allows it.
    static let all: [EventStreamCase] = [
        EventStreamCase(
            name: "byte order mark: only the first one is removed",
            stream: "\u{FEFF}data:{\"a_b\":1}\n\n\u{FEFF}data:{\"a_b\":2}\n\ndata:{\"a_b\":3}\n\n",
            output: "\u{FEFF}data:{\"aB\":1}\n\n\u{FEFF}data:{\"a_b\":2}\n\ndata:{\"aB\":3}\n\n",
            events: [ReceivedEvent("{\"aB\":1}"), ReceivedEvent("{\"aB\":3}")]),
        EventStreamCase(
            name: "two byte order marks", stream: "\u{FEFF}\u{FEFF}data:{\"a_b\":1}\n\ndata:{\"a_b\":2}\n\n",
            output: "\u{FEFF}\u{FEFF}data:{\"a_b\":1}\n\ndata:{\"aB\":2}\n\n", events: [ReceivedEvent("{\"aB\":2}")]),
        EventStreamCase(
            name: "a byte order mark in the first event does not move to the beginning",
            stream: "data:\ndata:\n\u{FEFF}id: 6\ndata: {\"a_b\":1}\n\n",
            output: ":\n\u{FEFF}id: 6\ndata: {\"aB\":1}\n\n", events: [ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "comments between data lines with all line ends",
            stream: "data:[1,\r:\0\n:\r\ndata:{\"a_b\":\n:xxxx\rdata:3},\n:data:fail\r:xxxx\ndata:4]\n\n",
            output: ":\0\n:\r\n:xxxx\r:data:fail\r:xxxx\ndata:[1,{\"aB\":3},4]\n\n",
            events: [ReceivedEvent("[1,{\"aB\":3},4]")]),
        EventStreamCase(
            name: "data before the final empty line is converted, though clients ignore it",
            stream: "retry:1000\ndata:{\"a_b\":1}\n\nid:test\ndata:{\"a_b\":2}",
            output: "retry:1000\ndata:{\"aB\":1}\n\nid:test\ndata:{\"aB\":2}", events: [ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "empty data", stream: "data:\n\ndata\ndata\n\ndata:{\"a_b\":1}\n\n",
            output: "data:\n\ndata\ndata\n\ndata:{\"aB\":1}\n\n",
            events: [ReceivedEvent(""), ReceivedEvent("\n"), ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "an empty event name is a message", stream: "event: \ndata:{\"a_b\":1}\n\n",
            output: "event: \ndata:{\"aB\":1}\n\n", events: [ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "an event name", stream: "event:test\ndata:{\"a_b\":1}\n\ndata:{\"a_b\":2}\n\n",
            output: "event:test\ndata:{\"aB\":1}\n\ndata:{\"aB\":2}\n\n",
            events: [ReceivedEvent("{\"aB\":1}", of: "test"), ReceivedEvent("{\"aB\":2}")]),
        EventStreamCase(
            name: "ids stay, and an id with a null character is ignored by clients",
            stream: "id: 1\ndata:{\"a_b\":1}\n\nid: 2\0\ndata:{\"a_b\":2}\nid\n\n",
            output: "id: 1\ndata:{\"aB\":1}\n\nid: 2\0\ndata:{\"aB\":2}\nid\n\n",
            events: [ReceivedEvent("{\"aB\":1}", id: "1"), ReceivedEvent("{\"aB\":2}")]),
        EventStreamCase(
            name: "field names are exact, and one space after the colon is removed",
            stream:
                "data:[\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
            output:
                "data:[\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
            events: [ReceivedEvent("[\0\n 2\n1\n3\n\n4")]),
        EventStreamCase(
            name: "field names are exact, with JSON",
            stream:
                "data:[0,\ndata:  2\rData:1\ndata\0:2\ndata:,{\"a_b\":1}\r\0data:4\nda-ta:3\rdata_5\ndata:,3\rdata:\r\n data:32\ndata:,4]\n\n",
            output: "Data:1\ndata\0:2\n\0data:4\nda-ta:3\rdata_5\n data:32\ndata:[0,2,{\"aB\":1},3,4]\n\n",
            events: [ReceivedEvent("[0,2,{\"aB\":1},3,4]")]),
        EventStreamCase(
            name: "retry",
            stream:
                "retry:03000\ndata:{\"a_b\":1}\n\nretry:3000\nretry:1000x\ndata:{\"a_b\":2}\n\nretry\ndata:{\"a_b\":3}\n\n",
            output:
                "retry:03000\ndata:{\"aB\":1}\n\nretry:3000\nretry:1000x\ndata:{\"aB\":2}\n\nretry\ndata:{\"aB\":3}\n\n",
            events: [ReceivedEvent("{\"aB\":1}"), ReceivedEvent("{\"aB\":2}"), ReceivedEvent("{\"aB\":3}")]),
        EventStreamCase(
            name: "unknown fields",
            stream: "data:{\"a_b\"\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata::1}\n\n",
            output: " data\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:{\"aB\":1}\n\n",
            events: [ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "a tab is no leading space", stream: "data:\t{\"a_b\":\rdata: \ndata:1}\n\n",
            output: "data:{\"aB\":1}\n\n",
            events: [ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "all line ends",
            stream: "data:{\"a_b\"\r\ndata\ndata::1}\r\n\rdata:{\"a_b\":2}\r\rdata:{\"a_b\":3}\r\n\r\n",
            output: "data:{\"aB\":1}\r\n\rdata:{\"aB\":2}\r\rdata:{\"aB\":3}\r\n\r\n",
            events: [ReceivedEvent("{\"aB\":1}"), ReceivedEvent("{\"aB\":2}"), ReceivedEvent("{\"aB\":3}")]),
        EventStreamCase(
            name: "a carriage return before a line that is a line feed",
            stream: "data:{\"a_b\":\rdata:1}\n\nid:1\rdata:2\n\n", output: "data:{\"aB\":1}\n\nid:1\rdata:2\n\n",
            events: [ReceivedEvent("{\"aB\":1}"), ReceivedEvent("2", id: "1")]),
        EventStreamCase(
            name: "a null character", stream: "data:\0\n\n", output: "data:\0\n\n", events: [ReceivedEvent("\0")]),
        EventStreamCase(
            name: "text in UTF-8", stream: "data:ok…\n\ndata:{\"a_b\":\"ok…\"}\n\n",
            output: "data:ok…\n\ndata:{\"aB\":\"ok…\"}\n\n",
            events: [ReceivedEvent("ok…"), ReceivedEvent("{\"aB\":\"ok…\"}")]),
        EventStreamCase(
            name: "a data line without a colon is the last one", stream: "data:{\"a_b\":1}\ndata\n\n",
            output: "data: {\"aB\":1}\n\n", events: [ReceivedEvent("{\"aB\":1}")]),
        EventStreamCase(
            name: "a line feed in a string is no JSON", stream: "data:{\"a_b\":\"x\ndata:y\"}\n\n",
            output: "data:{\"a_b\":\"x\ndata:y\"}\n\n", events: [ReceivedEvent("{\"a_b\":\"x\ny\"}")]),
        EventStreamCase(
            name: "nothing but empty lines and comments", stream: "\n\r\n:\n: ping\r\n\n",
            output: "\n\r\n:\n: ping\r\n\n", events: []),
    ]

    /// A stream like those of language models.
    static let chat = """
        : keep-alive

        data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

        data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"Gr\\u00fc\\u00dfe, \\"Ada\\""},"finish_reason":null}]}

        data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9}}

        data: [DONE]


        """
}
