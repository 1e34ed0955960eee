import ApolloTransport
import Foundation

extension Outbox.Row {
  /// The highest number of a mutation. JSON of other programs has no higher ones that are exact.
  static let lastNumber: Int64 = 1 << 53 - 1
  /// How many tries are counted.
  static let attemptLimit = 1_000_000_000
  /// The years from 1970 to 9999.
  private static let times = 0...253_402_300_799.0
  /// How long the name of a type may be, in bytes. It is given to the runtime, which takes it apart.
  private static let typeNameLimit = 10_000

  /// Why a row cannot be used that comes from a storage, where another program may have changed it; nil: it can.
  ///
  /// What is done with the numbers of a row that passes does not overflow.
  package var problem: String? {
    func isTime(_ date: Date) -> Bool { Self.times.contains(date.timeIntervalSince1970) }
    if !(1...Self.lastNumber).contains(number) { return "its number is \(number)" }
    if !isTime(date) { return "its date is \(date.timeIntervalSince1970) seconds after 1970" }
    if let notBefore, !isTime(notBefore) {
      return "its next try is \(notBefore.timeIntervalSince1970) seconds after 1970"
    }
    for (name, count) in [
      ("tries", attempts), ("failures of the network", networkFailures), ("answers with 409", conflicts ?? 0),
    ]
    where !(0...Self.attemptLimit).contains(count) {
      return "it has \(count) \(name)"
    }
    if let seconds = policy.expiresAfter, seconds.isNaN { return "it is of use for \(seconds) seconds" }
    if typeName.utf8.count > Self.typeNameLimit { return "the name of its type has \(typeName.utf8.count) bytes" }
    return nil
  }

  /// Counts a try.
  mutating func countAttempt() { attempts = min(attempts, Self.attemptLimit - 1) + 1 }

  /// Counts a try that has failed because of the network.
  mutating func countNetworkFailure() { networkFailures = min(networkFailures, Self.attemptLimit - 1) + 1 }

  /// Counts an answer with 409 that may say that the server is still doing it.
  ///
  /// - Returns: Whether it may say so. What a server does takes minutes at most: the tenth one is a refusal.
  mutating func countConflict() -> Bool {
    let count = min(conflicts ?? 0, Self.attemptLimit - 1) + 1
    conflicts = count
    return count < 10
  }
}

extension OutboxQueue {
  /// The mutations of a storage that can be used, in their order. The others stay in the storage, and are not sent.
  func usable(_ rows: [Outbox.Row]) -> [Outbox.Row] {
    var ids: Set<UUID> = []
    return rows.sorted { $0.number < $1.number }.filter { row in
      guard let problem = row.problem ?? (ids.insert(row.id).inserted ? nil : "another one has its id") else {
        return true
      }
      configuration.onStorageFailure?(
        OperationError(
          .storage, "The storage of the outbox has a mutation that cannot be used, and is not sent: \(problem)."))
      return false
    }
  }

  /// The number of the first mutation that comes after those of a storage.
  static func numberAfter(_ contents: Outbox.Contents) -> Int64 {
    let numbers = contents.rows.map(\.number) + [contents.lastUnreadNumber]
    return (numbers.filter { (1...Outbox.Row.lastNumber).contains($0) }.max() ?? 0) + 1
  }
}
