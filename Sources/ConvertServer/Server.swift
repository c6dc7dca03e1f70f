/// Runs the server until it is told to end; prints a line for every address once it listens there.
///
/// - Returns: the exit code of the process.
func runServer(_ configuration: ServerConfiguration) throws(ServerError) -> Int32 {
    throw ServerError(.internalFault, "the server is not part of this build")
}
