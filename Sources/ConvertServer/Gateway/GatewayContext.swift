package import Conversions
package import EventLoop
package import Observability
package import Upstreams

/// The shared state of the forwarded requests of one loop.
package final class GatewayContext {
    package let loop: LoopContext
    /// The loop's idle connections to upstreams.
    package let pool: UpstreamPool
    package let directory: UpstreamDirectory
    package let converters: ConverterPool
    package let encoders: EncoderPool
    let fieldRecipes = FieldRecipes()
    package let metrics: LoopMetrics
    /// Decompressed bytes per compressed byte of an upstream's response, which has no maximum length.
    let maxDecodedRatio: Int
    /// The most bytes of one event, or of one text of a JSON sequence.
    let maxStreamUnitBytes: Int

    package init(
        _ loop: LoopContext, _ directory: UpstreamDirectory, _ converters: ConverterPool, _ encoders: EncoderPool,
        _ metrics: LoopMetrics, maxDecodedRatio: Int, maxStreamUnitBytes: Int
    ) {
        self.maxStreamUnitBytes = maxStreamUnitBytes
        self.loop = loop
        self.directory = directory
        self.converters = converters
        self.encoders = encoders
        self.metrics = metrics
        self.maxDecodedRatio = maxDecodedRatio
        pool = UpstreamPool(loop)
    }

    /// Counts a conversion that has ended or was abandoned, and returns its converter to the pool.
    ///
    /// - Parameter countsSkipped: whether its bad records count, too. They do not if the body passes unchanged.
    package func end(_ conversion: PayloadConversion, countsSkipped: Bool = true) {
        if countsSkipped { metrics.count(.skippedRecords, conversion.skippedCount ?? 0) }
        if let result = conversion.result { metrics.conversionEnded(result) }
        conversion.end(converters)
    }
}
