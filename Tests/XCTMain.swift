import Testing

/// Runs the tests. Without this file SwiftPM looks for classes of XCTest in what the compiler has indexed; there are none, and
/// an index takes a fifth of the time of a build.
@main struct TestRunner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
