import Apollo
import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import ResponseStyles
import StyledTests
import Testing
import Waiting

@Suite("Pagers under random schedules", .timeLimit(.minutes(10))) struct ScheduleTests {
  /// What the schedules of one pager are run with.
  struct Setting: CustomTestStringConvertible, Sendable {
    let mode: Mode, caller: Caller, kind: Kind
    var testDescription: String { "\(kind), \(mode), \(caller)" }
  }

  static let settings = [Kind.forward, .reverse, .bidirectional, .twoQueries].flatMap { kind in
    Mode.allCases.flatMap { mode in Caller.allCases.map { Setting(mode: mode, caller: $0, kind: kind) } }
  }

  @Test(
    "Loads, refetches, failures, cancellations and changes leave what a plain list of ranges has", arguments: settings)
  func schedules(_ setting: Setting) async throws {
    for seed in Effort.seeds(2) {
      var schedule = Schedule(setting, seed: seed)
      try await schedule.run(steps: 40)
      if schedule.isWrong { return }
    }
  }
}

/// A pager, and what a list of ranges says that it has.
private struct Schedule {
  private static let friends = (0..<11).map { $0 == 1 ? "Luke" : "F\($0)" }

  /// What happens to a request.
  private enum Fate: CaseIterable {
    case answered, failed, answeredWithErrors, cancelled
    /// Cancelled while the same page is asked for again.
    case givenUp
    /// Answered after the name of an object has changed.
    case changed
    /// Answered after the same page was asked for again.
    case askedTwice
    /// Answered after another page was asked for.
    case askedElsewhere
    /// The first page was asked for before it was answered.
    case overtaken
  }

  private let setting: ScheduleTests.Setting
  private let bed: TestBed
  private var random: SplitMix
  /// The pages that are shown, as one range; nil before the first one has come.
  private var shown: Range<Int>?
  /// The names in the cache.
  private var names = Schedule.friends
  private var failureCount = 0
  /// The pages that the cache has, if it keeps them apart.
  private var known: Set<Range<Int>> = []
  private(set) var log: [String]
  private(set) var isWrong = false

  init(_ setting: ScheduleTests.Setting, seed: UInt64) {
    self.setting = setting
    bed = TestBed(setting.mode, setting.caller, setting.kind, friends: Self.friends)
    random = SplitMix(state: seed)
    log = ["\(setting.testDescription), seed \(seed)"]
  }

  /// The first page.
  private var first: Range<Int> {
    switch setting.kind {
    case .reverse: 9..<11
    case .bidirectional: 2..<3
    default: 0..<2
    }
  }

  /// The page beside those that are shown; nil if there is none.
  private func page(_ direction: PaginationDirection) -> Range<Int>? {
    guard let shown else { return nil }
    switch (direction, setting.kind) {
    case (.next, .reverse), (.previous, .forward), (.previous, .twoQueries): return nil
    case (.next, _): return shown.upperBound == 11 ? nil : shown.upperBound..<min(11, shown.upperBound + 2)
    case (.previous, _): return shown.lowerBound == 0 ? nil : max(0, shown.lowerBound - 2)..<shown.lowerBound
    }
  }

  // MARK: Steps

  mutating func run(steps: Int) async throws {
    if random.next() % 2 == 0 { try await recover() }
    for _ in 0..<steps where !isWrong {
      switch random.next() % 10 {
      case 0, 1: try await refetch()
      case 2...5: try await load(.next)
      case 6, 7: try await load(.previous)
      case 8: try await loadAll()
      default: try await rename()
      }
      await bed.settle()
      if let shown { check(bed.last?.names == Array(names[shown]), "\(bed.last?.names ?? []) for \(names[shown])") }
      check(bed.failures.count == failureCount, "\(bed.failures.count) failures")
      check(bed.pager.canLoadNext == (page(.next) != nil), "canLoadNext is \(bed.pager.canLoadNext)")
      check(bed.pager.canLoadPrevious == (page(.previous) != nil), "canLoadPrevious is \(bed.pager.canLoadPrevious)")
    }
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    guard !holds, !isWrong else { return }
    isWrong = true
    Issue.record("\(what), after\n\(log.joined(separator: "\n"))")
  }

  /// The first page cannot be loaded, and then comes in another way.
  private mutating func recover() async throws {
    log.append("refetch, failed; the first page is loaded elsewhere")
    bed.server.on(0, .fail)
    await bed.refetch()
    failureCount += 1
    try await (bed.pager.engine as? any LoadWatching)?.loadElsewhere()
    await bed.settle()
    take(first, isFirst: true)
  }

  private mutating func rename() async throws {
    guard let place = shown?.randomElement(using: &random) else { return }
    let name = "name \(log.count)"
    log.append("\(place) is \(name)")
    try await bed.rename(Self.friends[place], name)
    names[place] = name
  }

  private mutating func fate() -> Fate {
    let fate = Fate.allCases.randomElement(using: &random) ?? .answered
    let isCancelled = fate == .cancelled || fate == .givenUp
    return isCancelled && setting.caller == .callbacks ? .answered : fate
  }

  /// Takes the answer to a request as the cache and the pager should.
  private mutating func take(_ page: Range<Int>, isFirst: Bool) {
    for place in page { names[place] = Self.friends[place] }
    if isFirst {
      shown = listRange ?? page
    } else {
      known.insert(page)
      extend(by: page)
    }
  }

  /// The range that the cache's list has after a first page that stands in the middle of it: the list may keep what is
  /// before it and behind it. nil in other settings.
  private var listRange: Range<Int>? {
    guard setting.mode == .list, setting.kind == .bidirectional, let found = bed.last?.names else { return nil }
    let starts = (0...first.lowerBound).filter { start in
      start + found.count <= 11 && start + found.count >= first.upperBound
        && Array(names[start..<start + found.count]) == found
    }
    return starts.first.map { $0..<$0 + found.count }
  }

  private mutating func extend(by page: Range<Int>) {
    guard let shown else { return }
    self.shown = min(shown.lowerBound, page.lowerBound)..<max(shown.upperBound, page.upperBound)
  }

  private mutating func refetch() async throws {
    let fate = fate(), bed = bed, number = bed.server.requests.count
    log.append("refetch, \(fate)")
    switch fate {
    case .failed:
      bed.server.on(number, .fail)
      await bed.refetch()
      failureCount += 1
    case .answeredWithErrors:
      bed.server.on(number, .answer(FriendsServer.errorsOnly))
      await bed.refetch()
    case .answered, .askedElsewhere, .givenUp:
      await bed.refetch()
      take(first, isFirst: true)
    case .cancelled, .changed, .askedTwice, .overtaken:
      let hold = FriendsServer.Hold()
      bed.server.on(number, .hold(hold))
      let refetch = Task { await bed.refetch() }
      await hold.hasCome.wait()
      switch fate {
      case .cancelled:
        refetch.cancel()
        await hold.wasCancelled.wait()
      case .changed: try await rename()
      default: await bed.refetch()
      }
      hold.mayGo.fire()
      await refetch.value
      if fate != .cancelled { take(first, isFirst: true) }
    }
  }

  private mutating func load(_ direction: PaginationDirection) async throws {
    let bed = bed, number = bed.server.requests.count
    guard let page = page(direction) else {
      log.append("\(direction), of which there is none")
      let expected = shown == nil ? PaginationError.missingInitialPage : .pageHasNoMoreContent
      let error = await Self.failure { try await bed.load(direction) }
      return check(error.map { "\($0)" } == "\(expected)", "\(error as Any) for \(expected)")
    }
    let isKnown = setting.mode == .apart && known.contains(page)
    var fate = fate()
    // (What the cache has of a load that was given up stays. The next one is for the page behind it.)
    if fate == .givenUp, isKnown { fate = .cancelled }
    log.append("\(direction) \(page)\(isKnown ? ", known," : "") \(fate)")
    var error: PaginationError?, expected: PaginationError?
    switch fate {
    case .answered, .failed, .answeredWithErrors:
      if fate == .failed { bed.server.on(number, .fail) }
      if fate == .answeredWithErrors { bed.server.on(number, .answer(FriendsServer.errorsOnly)) }
      error = await Self.failure { try await bed.load(direction) }
    case .cancelled, .givenUp, .changed, .askedTwice, .askedElsewhere, .overtaken:
      let hold = FriendsServer.Hold()
      bed.server.on(number, .hold(hold))
      let load = Task { await Self.failure { try await bed.load(direction) } }
      await hold.hasCome.wait()
      switch fate {
      case .cancelled:
        load.cancel()
        await hold.wasCancelled.wait()
        expected = .cancellation
      case .givenUp:
        load.cancel()
        let again = try bed.pager.begin(direction)
        _ = await load.value
        hold.mayGo.fire()
        let failure = await bed.pager.outcome(of: again)
        check(failure == nil, "\(failure as Any) for the call that goes on")
        expected = .cancellation
      case .changed: try await rename()
      case .askedTwice:
        let second = Task { await Self.failure { try await bed.load(direction) } }
        let engine = bed.pager.engine as? any LoadWatching
        try await eventually { engine?.waiterCount == 2 }
        hold.mayGo.fire()
        let failure = await second.value
        check(failure == nil, "\(failure as Any) for the second call")
      case .askedElsewhere:
        let failure = await Self.failure { try await bed.load(direction == .next ? .previous : .next) }
        check(failure.map { "\($0)" } == "\(PaginationError.loadInProgress)", "\(failure as Any) for another page")
      default:
        await bed.refetch()
        await hold.wasCancelled.wait()
        expected = .cancellation
      }
      hold.mayGo.fire()
      error = await load.value
    }
    check(error.map { "\($0)" } == expected.map { "\($0)" }, "\(error as Any) for \(expected as Any)")
    switch fate {
    case .failed: failureCount += 1
    case .overtaken: return take(first, isFirst: true)
    case .answered, .givenUp, .changed, .askedTwice, .askedElsewhere: return take(page, isFirst: false)
    case .answeredWithErrors, .cancelled: break
    }
    if isKnown { extend(by: page) }
  }

  private mutating func loadAll() async throws {
    let bed = bed, number = bed.server.requests.count
    // (Not every page is asked for if the first one comes with others.)
    if setting.mode == .list && setting.kind == .bidirectional { return }
    // All pages are six.
    let failing = random.next() % 2 == 0 ? nil : Int(random.next() % 6)
    log.append("all\(failing.map { ", but not \($0)" } ?? "")")
    if let failing { bed.server.on(number + failing, .fail) }
    let error = await Self.failure { try await bed.loadAll() }
    check(error == nil, "\(error as Any) of all pages")
    if failing != nil { failureCount += 1 }
    if failing == 0 { return }
    take(first, isFirst: true)
    for _ in 1..<(failing ?? 6) {
      if let page = page(.next) ?? page(.previous) { take(page, isFirst: false) }
    }
  }

  private static func failure(of body: () async throws -> Void) async -> PaginationError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? PaginationError ?? .cancellation
    }
  }
}

private protocol LoadWatching: PageLoading {
  /// How many calls wait for the load that is under way.
  var waiterCount: Int? { get }
  /// Loads the first page as another screen does.
  func loadElsewhere() async throws
}

extension PagerEngine: LoadWatching {
  fileprivate var waiterCount: Int? { state.withLock { $0.load?.waiterCount } }

  fileprivate func loadElsewhere() async throws {
    _ = try await (client as? ApolloClient)?.fetch(query: initialQuery, cachePolicy: .networkOnly)
  }
}

extension TestBed {
  fileprivate func load(_ direction: PaginationDirection) async throws {
    switch direction {
    case .next: try await loadNext()
    case .previous: try await loadPrevious()
    }
  }
}
