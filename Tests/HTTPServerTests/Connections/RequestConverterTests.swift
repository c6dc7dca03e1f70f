import ConvertEngine
import ConvertProfiles
import HTTPServerTestSupport
import TestSupport
import Testing

@testable import Conversions
@testable import HTTPServer
@testable import Service
@testable import Sockets

/// The converters of requests.
struct RequestConverterTests {
    @Test func `the converters of a request's own profile are not kept`() throws {
        let pool = ConverterPool()
        let own = Recipe.minify(output: OutputOptions(), limits: Limits(), comesAgain: false)
        pool.giveBack(pool.take(own, .document))
        #expect(pool.count == 0)

        let profile = Array("{\"rename\":{\"a\":\"b\"}}".utf8)
        #expect(try !RequestedProfile.document(profile, .forward, Limits()).recipe().comesAgain)
        let context = HTTPContext(ServerConfiguration())
        let session = Session(context)
        let envelope = HTTPText.post("/v1/convert", "{\"profile\":{\"rename\":{\"a\":\"b\"}},\"payload\":{}}")
        let long = "/v1/normalize?keys=camelCase" + String(repeating: "&", count: 300)
        for (request, count) in [
            (envelope, 0), (HTTPText.post(long, "{}"), 0), (HTTPText.post("/v1/normalize?keys=camelCase", "{}"), 1),
        ] {
            session.receive(Array(request.utf8).span, at: MonotonicTime(nanoseconds: 0))
            #expect(context.converters.count == count, "\(request)")
        }
    }
}
