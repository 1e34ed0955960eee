// Whether the compiler knows which declarations are newer than the systems that packages declare.
import Foundation
import Synchronization

func uses<Value: ~Copyable>(_ value: borrowing Value) {}

func old() async throws {
  try await Task.sleep(for: .seconds(1))
  uses(URL(filePath: "/a").appending(path: "b"))
  uses(ContinuousClock.now)
  uses(Date.ISO8601FormatStyle())
}

func newer() {
  uses(Mutex(1))  // newer
  uses(Expression<Int, Int>.self)  // newer
}
func sequence(_ values: any AsyncSequence<Int, any Error>) {}  // newer
func executor(_ type: any TaskExecutor.Type) {}  // newer

func asked() {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { uses(Mutex(1)) }
}
