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
    for (name, date) in [
      ("next try", notBefore), ("first answer with 409", conflictsSince), ("first unreadable file", unreadablesSince),
    ] {
      if let date, !isTime(date) { return "its \(name) is \(date.timeIntervalSince1970) seconds after 1970" }
    }
    for (name, count) in [
      ("tries", attempts), ("failures of the network", networkFailures), ("answers with 409", conflicts ?? 0),
      ("unreadable files", unreadables ?? 0),
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
  /// - Parameter date: The date.
  /// - Returns: Whether it may say so. What a server does takes minutes at most. (Many tries may come within seconds, as
  ///   when a user asks for them.)
  mutating func countConflict(at date: Date) -> Bool {
    Self.count(&conflicts, since: &conflictsSince, at: date, passesWithin: 300)
  }

  /// Counts a try that could not be made because a file of the device cannot be read.
  ///
  /// - Parameter date: The date.
  /// - Returns: Whether that may pass: a device may be locked for a day.
  mutating func countUnreadable(at date: Date) -> Bool {
    Self.count(&unreadables, since: &unreadablesSince, at: date, passesWithin: 86_400)
  }

  /// Forgets the tries that could not be made because a file of the device cannot be read: the last one could.
  mutating func forgetUnreadables() { (unreadables, unreadablesSince) = (nil, nil) }

  /// Counts what may pass.
  ///
  /// - Parameters:
  ///   - count: How often it has come.
  ///   - first: When it came first.
  ///   - date: When it has come now.
  ///   - seconds: How long it takes at most until it passes.
  /// - Returns: Whether it may pass: it has come less than ten times, or for a shorter time.
  private static func count(
    _ count: inout Int?, since first: inout Date?, at date: Date, passesWithin seconds: TimeInterval
  ) -> Bool {
    let number = min(count ?? 0, attemptLimit - 1) + 1
    // (The clock may have been set back meanwhile.)
    let begin = min(first ?? date, date)
    (count, first) = (number, begin)
    return number < 10 || date.timeIntervalSince(begin) < seconds
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
