import Foundation

/// Runs what walks through documents by recursion, with a stack that is large enough for it whatever the thread of the
/// caller has: 512 kB, for most threads of Apple's systems. The caller waits.
///
/// How deep such a walk goes is limited before: see ``ApolloCodegenConfiguration/Input/maximumDepth``.
enum LargeStack {
  private static let size = 16_777_216

  static func run<Result>(_ body: () -> Result) -> Result {
    withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let thread = Thread { work.run() }
      thread.stackSize = size
      thread.start()
      return work.wait()
    }
  }

  /// A function that one thread runs while another waits for it, so that never both use what it captures.
  private final class Work<Result>: @unchecked Sendable {
    private var body: (() -> Result)?
    private var result: Result?
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping () -> Result) { self.body = body }

    func run() {
      result = body?()
      // The function ends with its caller, and the thread may live a little longer.
      body = nil
      done.signal()
    }

    func wait() -> Result {
      done.wait()
      guard let result else { preconditionFailure("A function that was run has a result.") }
      self.result = nil
      return result
    }
  }
}
