/// A fragment with `@defer`: the server may send it later than the fields around it.
///
/// Each part of the response makes a new result, in which more of these are ``ready(_:)``:
///
///     switch hero.details {
///     case .pending: showSpinner()
///     case .ready(let details): show(details.biography)
///     case .failed(let errors): show(errors)
///     case .notExecuted: break
///     }
///
/// Its members can also be read as optionals: `hero.details.biography`.
@dynamicMemberLookup
public indirect enum DeferredFragment<Fragment> {
  /// The fragment has not come yet. In data from the cache, it may be missing.
  case pending
  /// The fragment is there: it came with the first part or a later one, or the server does not defer.
  case ready(Fragment)
  /// The fragment will not come. The errors say why; the result has them as well.
  case failed([GraphQLError])
  /// The fragment does not belong to this object: the object has another type, `@include` or `@skip` leave the fragment
  /// out, or the response has ended without it.
  case notExecuted

  /// The fragment; nil unless it is ``ready(_:)``.
  public var value: Fragment? {
    if case .ready(let value) = self { value } else { nil }
  }

  /// A member of the fragment; nil unless the fragment is ``ready(_:)``.
  public subscript<T>(dynamicMember path: KeyPath<Fragment, T>) -> T? { value?[keyPath: path] }

  /// A member of the fragment; nil unless the fragment is ``ready(_:)`` and the member has a value.
  public subscript<T>(dynamicMember path: KeyPath<Fragment, T?>) -> T? { value?[keyPath: path] }
}

extension DeferredFragment: Sendable where Fragment: Sendable {}
extension DeferredFragment: Equatable where Fragment: Equatable {}
extension DeferredFragment: Hashable where Fragment: Hashable {}
