extension FieldDate {
  /// From when on a value is too old.
  ///
  /// A date from the future is believed if it is not further away than the age. A value without a date is too old,
  /// unless the server said until when it may be used.
  ///
  /// - Parameters:
  ///   - maxAge: How many seconds old it may be; nil: any number.
  ///   - now: The time, in seconds since 1970.
  /// - Returns: In seconds since 1970; 0 for always, nil for never.
  @inline(__always) package func end(maxAge: UInt32?, now: @autoclosure () -> UInt32) -> UInt32? {
    var end: UInt32?
    if let maxAge {
      if seconds == 0 {
        end = serverExpiry != nil ? nil : 0
      } else if seconds > now(), seconds - now() >= maxAge {
        end = maxAge == 0 ? seconds : 0
      } else {
        end = seconds.addingReportingOverflow(maxAge).overflow ? .max : seconds + maxAge
      }
    }
    return serverExpiry.map { min(end ?? .max, $0) } ?? end
  }

  /// Whether a value may be used although its time is over.
  ///
  /// - Parameters:
  ///   - end: When its time was over, in seconds since 1970; 0 for always.
  ///   - maxStale: For how many seconds more it is used. `AgeRules.anyAge`: for ever.
  ///   - now: The time, in seconds since 1970, which is not before `end`.
  /// - Returns: False if it must not be used.
  @inline(__always) package static func isUsable(after end: UInt32, maxStale: UInt32, now: UInt32) -> Bool {
    maxStale == AgeRules.anyAge || (end > 0 && now - end < maxStale)
  }
}
