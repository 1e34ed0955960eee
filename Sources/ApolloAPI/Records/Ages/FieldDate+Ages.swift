extension FieldDate {
  /// From when on a value is too old.
  ///
  /// A date from the future is believed if it is not further away than the value may be old. A value without a date is too
  /// old, unless the server said until when it may be used.
  ///
  /// - Parameters:
  ///   - maxAge: How many seconds old it may be; nil: any number.
  ///   - now: The time, in seconds since 1970.
  /// - Returns: In seconds since 1970; 0 for always, nil for never.
  @inline(__always) func end(maxAge: UInt32?, now: @autoclosure () -> UInt32) -> UInt32? {
    var limit = maxAge
    if let expiry = serverExpiry {
      if seconds == 0 || isTransient { return expiry }
      limit = min(maxAge ?? .max, expiry - min(expiry, seconds))
    }
    guard let limit else { return nil }
    if seconds == 0 { return 0 }
    if seconds > now(), seconds - now() >= limit { return limit == 0 ? now() : 0 }
    let (end, isOverflow) = seconds.addingReportingOverflow(limit)
    return isOverflow ? .max : end
  }

  /// Whether a value may be used although its time is over.
  ///
  /// - Parameters:
  ///   - end: When its time was over, in seconds since 1970; 0 for always.
  ///   - maxStale: For how many seconds more it is used. `AgeRules.anyAge`: for ever.
  ///   - now: The time, in seconds since 1970, which is not before `end`.
  /// - Returns: False if it must not be used.
  @inline(__always) static func isUsable(after end: UInt32, maxStale: UInt32, now: UInt32) -> Bool {
    maxStale == AgeRules.anyAge || (end > 0 && now - end < maxStale)
  }
}
