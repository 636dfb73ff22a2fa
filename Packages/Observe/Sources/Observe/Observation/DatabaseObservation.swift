/// A namespace for the sequences, events and statistics of observations.
///
/// ``ValueObservation`` and `Database` return these types. Most programs use them without naming them.
public enum DatabaseObservation {}
