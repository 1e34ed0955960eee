import ApolloAPI
import Foundation

/// What an app has set about ages.
struct AgeSettings: Sendable {
  /// The clock of the client.
  var clock: any ClientClock = .system
  /// Tells the date in place of the clock, if the app has set it.
  var ownDate: (@Sendable () -> Date)?
  var defaultMaxAge: TimeInterval?
  var maxAgeProvider: (any ApolloStore.MaxAgeProvider)?

  var date: @Sendable () -> Date { ownDate ?? { [clock] in clock.date } }

  /// In the form for reads.
  var rules: AgeRules.Settings {
    var maxAge: (@Sendable (String, String?) -> UInt32?)?
    if let provider = maxAgeProvider {
      maxAge = { type, field in
        let age = field.map { provider.maxAge(ofField: $0, onType: type) } ?? provider.maxAge(ofType: type)
        return age.map(Self.seconds)
      }
    }
    var time: @Sendable () -> Double = { [clock] in clock.date.timeIntervalSince1970 }
    if let ownDate { time = { ownDate().timeIntervalSince1970 } }
    return AgeRules.Settings(time: time, defaultMaxAge: defaultMaxAge.map(Self.seconds), maxAge: maxAge)
  }

  /// An age in whole seconds. Written this way because every comparison with NaN is false.
  private static func seconds(_ age: TimeInterval) -> UInt32 {
    age > 0 ? UInt32(min(age, Double(UInt32.max))) : 0
  }
}

extension RecordEngine {
  /// What the app has set, in the form for reads.
  var ages: AgeRules.Settings { state.withLock { $0.ages } }

  var ageSettings: AgeSettings { state.withLock { $0.ageSettings } }

  /// By which everything of the cache waits.
  var clock: any ClientClock { state.withLock { $0.ageSettings.clock } }

  func changeAges(_ body: (inout AgeSettings) -> Void) {
    let (rules, former) = state.withLock { state in
      let former = (state.ageSettings, state.ages)
      body(&state.ageSettings)
      state.ages = state.ageSettings.rules
      return (state.ages, former)
    }
    // (What the app had set is not released under the lock.)
    withExtendedLifetime(former) {}
    expiryTimer.setTime { rules.now }
  }
}
