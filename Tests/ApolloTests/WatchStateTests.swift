@testable import Apollo
import ApolloCache
import ResponseStyles
import Testing

@Suite("What a watcher does next")
struct WatchStateTests {
  private let other = ChangeCause.observer(name: "Other")

  private func resting() -> WatchState {
    var watch = WatchState()
    #expect(watch.ask(under: .returnCacheDataElseFetch) == 1)
    #expect(watch.end(1) == nil)
    return watch
  }

  @Test("It asks twice at once for changes of other watchers, and then after pauses that grow to a minute")
  func pauses() {
    var watch = resting()
    #expect(watch.lackData(since: other) == .ask(number: 2, isAutomatic: true))
    #expect(watch.end(2) == nil)
    #expect(watch.lackData(since: other) == .ask(number: 3, isAutomatic: true))
    #expect(watch.end(3) == nil)
    var number = 4
    for seconds in [1.0, 2, 4, 8, 16, 32, 64, 64, 64] {
      #expect(watch.lackData(since: other) == .pause(seconds: seconds, number: number))
      #expect(watch.lackData(since: other) == .nothing)
      #expect(watch.endPause(number - 1) == false)
      #expect(watch.endPause(number) == true)
      #expect(watch.lackData(since: other) == .ask(number: number + 1, isAutomatic: true))
      #expect(watch.end(number + 1) == nil)
      number += 2
    }
  }

  @Test("A change from outside ends a pause, and is asked for at once; so does what the app asks for")
  func outside() {
    for isAsked in [false, true] {
      var watch = resting()
      for number in [2, 3] {
        #expect(watch.lackData(since: other) == .ask(number: number, isAutomatic: true))
        #expect(watch.end(number) == nil)
      }
      #expect(watch.lackData(since: other) == .pause(seconds: 1, number: 4))
      if isAsked {
        #expect(watch.ask() == 5)
      } else {
        #expect(watch.lackData(since: .outside) == .ask(number: 5, isAutomatic: true))
      }
      #expect(watch.end(5) == nil)
      #expect(watch.endPause(4) == false)
      #expect(watch.lackData(since: other) == .ask(number: 6, isAutomatic: true))
    }
  }

  @Test("What is noticed while a request is under way is looked at when it has ended")
  func noticed() {
    var watch = WatchState()
    #expect(watch.ask(under: .returnCacheDataElseFetch) == 1)
    #expect(watch.lackData(since: other) == .nothing)
    #expect(watch.end(1) == .change)
    #expect(watch.ask() == 2)
    #expect(watch.lackData(since: .outside) == .nothing)
    #expect(watch.lackData(since: other) == .nothing)
    #expect(watch.end(2) == .change)
    #expect(watch.ask() == 3)
    #expect(watch.expire() == .nothing)
    #expect(watch.end(3) == .expiry)
    #expect(watch.expire() == .ask(number: 4, isAutomatic: false))
    // A request that the app asks for takes the place of one that is under way.
    #expect(watch.ask() == 5)
    #expect(watch.end(4) == nil)
    #expect(watch.poll() == .nothing)
    #expect(watch.end(5) == nil)
    #expect(watch.poll() == .ask(number: 6, isAutomatic: false))
  }

  @Test("Complete data ends a pause; polling and expiry do not wait for it")
  func endOfPause() {
    for way in 0..<3 {
      var watch = resting()
      for number in [2, 3] {
        #expect(watch.lackData(since: other) == .ask(number: number, isAutomatic: true))
        #expect(watch.end(number) == nil)
      }
      #expect(watch.lackData(since: other) == .pause(seconds: 1, number: 4))
      switch way {
      case 0:
        watch.haveData(since: other)
        #expect(watch.phase == .resting)
      case 1: #expect(watch.poll() == .ask(number: 5, isAutomatic: false))
      default: #expect(watch.expire() == .ask(number: 5, isAutomatic: false))
      }
      #expect(watch.endPause(4) == false)
    }
  }

  @Test("One that asks after each change stops, and does not wait")
  func always() {
    var watch = resting()
    for number in [2, 3] {
      #expect(watch.wantNewer(since: other) == .ask(number: number, isAutomatic: true))
      #expect(watch.end(number) == nil)
    }
    #expect(watch.wantNewer(since: other) == .nothing)
    #expect(watch.phase == .resting)
    #expect(watch.wantNewer(since: .outside) == .ask(number: 4, isAutomatic: true))
  }

  @Test("However often it looks again, and whenever: it asks twice for each change from outside", arguments: 1...50)
  func bound(seed: UInt64) {
    var numbers = SplitMix(state: seed), watch = resting()
    var asked = 0, allowed = 2, running: Int? = nil, looks = 0
    for _ in 0..<300 {
      let step: WatchState.Step
      let since: ChangeCause?
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: (since, allowed) = (.outside, allowed + 2)
      case 1...2: since = other
      // The cache is looked at again late: other changes may have come before.
      case 3...5 where looks > 0: (since, looks) = (nil, looks - 1)
      default:
        if let number = running, watch.end(number) != nil { looks += 1 }
        running = nil
        continue
      }
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: step = watch.wantNewer(since: since)
      case 1:
        watch.haveData(since: since)
        continue
      default: step = watch.lackData(since: since)
      }
      if case .ask(let number, _) = step { (running, asked) = (number, asked + 1) }
    }
    #expect(asked <= allowed)
  }

  @Test("Nothing follows the end; and nothing is asked of the server where the policy forbids it")
  func ends() {
    var watch = resting()
    watch.cancel()
    #expect(watch.ask() == nil)
    let watchSteps = [watch.poll(), watch.expire(), watch.lackData(since: .outside), watch.wantNewer(since: .outside)]
    #expect(watchSteps.allSatisfy { $0 == .nothing })
    watch.haveData(since: .outside)
    #expect(watch.isEnded)
    var cached = WatchState()
    #expect(cached.ask(under: .returnCacheDataDontFetch) == 1)
    #expect(cached.end(1) == nil)
    let cachedSteps = [
      cached.poll(), cached.expire(), cached.lackData(since: .outside), cached.wantNewer(since: .outside),
    ]
    #expect(cachedSteps.allSatisfy { $0 == .nothing })
  }
}
