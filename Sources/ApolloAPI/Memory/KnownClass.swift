/// Takes an object for one of a subclass.
///
/// A cast with `as?` to a generic class looks up the class at run time, which takes a thousand instructions and more.
///
/// **Invariant.** The caller knows that the object is of this class, by a value that only this class sets. Builds for
/// debugging check it.
@inlinable @inline(__always)
package func known<Subclass: AnyObject>(_ object: AnyObject, as type: Subclass.Type) -> Subclass {
  unsafeDowncast(object, to: Subclass.self)
}
