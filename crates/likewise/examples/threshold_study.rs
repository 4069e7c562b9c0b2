//! How good are the thresholds that `likewise::link` proposes, and the clusters at them?
//!
//! ```sh
//! cargo run --release -p likewise --features eval --example threshold_study -- \
//!     DATA_DIR [names.tsv.gz | - [MEASURE]]
//! ```
//!
//! `DATA_DIR` holds folders with judged records as `likewise eval match` reads them. A compressed table without a
//! header and with the columns id, cluster, kind and text may follow, or `-` for none; then the measure, if it is not the
//! default. Prints the tables of `docs/link-threshold.md`.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use flate2::read::GzDecoder;
use likewise::collection::Collection;
use likewise::control::Stage;
use likewise::eval::data::{MatchSet, Record};
use likewise::eval::matching::score_all;
use likewise::eval::metrics::{Ranking, Ties};
use likewise::link::{Method, Pair, Proposal, clusters, propose_around};
use likewise::measure::Measure;
use likewise::task::usual_threshold;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A set with every pair scored.
struct Study {
    name: String,
    set: MatchSet,
    pairs: Vec<Pair>,
    ranking: Ranking,
    /// The threshold that is usual for the measure and such texts.
    usual: Option<f64>,
    /// For every row the score of the row most like it.
    best: Vec<f64>,
    /// The same from each left row's nearest alone, as `match` sees two tables.
    seen: Vec<f64>,
}

impl Study {
    fn new(name: String, set: MatchSet, measure: &Measure) -> Result<Self, Box<dyn Error>> {
        let collection = Collection::build(measure.analyzers(), set.texts())?;
        let scorer = measure.bind(&collection)?;
        let scored = score_all(&set, &scorer, &Stage::default())?;
        let mut left = vec![0.0; set.left.len()];
        let mut right = vec![0.0; set.right.len()];
        let raise = |best: &mut f64, score: f64| *best = best.max(score);
        for &(l, r, score) in &scored.pairs {
            raise(&mut left[l as usize], score);
            let others = if set.one_table { &mut left } else { &mut right };
            raise(&mut others[r as usize], score);
        }
        left.extend(right);
        let ranking = scored.ranking();
        let pairs: Vec<Pair> =
            scored.pairs.iter().map(|&(l, r, score)| Pair::new(l, r, score)).collect();
        let seen = best_seen(&pairs, set.left.len());
        let usual = usual_threshold(&scorer);
        Ok(Self { name, set, pairs, ranking, usual, best: left, seen })
    }

    /// What is proposed from each row's best score.
    fn proposal(&self) -> Proposal {
        propose_around(&self.best, self.usual)
    }

    /// F1 over all pairs of rows in one cluster.
    fn f1_of_clusters(&self, listed_from: f64, min: f64, method: Method) -> f64 {
        let listed: Vec<Pair> =
            self.pairs.iter().filter(|p| p.score >= listed_from).copied().collect();
        let found = clusters(self.set.left.len(), &listed, min, method);
        let sizes = found.members();
        let called: usize = sizes.iter().map(|c| c.len() * (c.len() - 1) / 2).sum();
        let mut gold: Vec<&(usize, usize)> = self.set.matches.iter().collect();
        gold.retain(|(a, b)| found.cluster_of[*a] == found.cluster_of[*b]);
        2.0 * gold.len() as f64 / (called as f64 + self.set.total as f64)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("give a folder of judged sets")?;
    let mut folders: Vec<_> = std::fs::read_dir(&folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<Vec<_>, _>>()?;
    folders.retain(|path| path.is_dir());
    folders.sort();
    let names = args.next().filter(|path| path != "-");
    let measure = args.next().map_or(Ok(Measure::default()), |expression| expression.parse())?;
    let mut studies = Vec::new();
    for path in folders {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let set = MatchSet::open(&path, &["text"], &Default::default())?;
        studies.push(Study::new(name, set, &measure)?);
    }
    if let Some(path) = names {
        studies.push(Study::new("names".to_owned(), read_names(Path::new(&path))?, &measure)?);
    }

    println!("| set | rows | groups | apart | proposed | F1 there | best F1 | at | lost |");
    println!("|---|---:|---|---:|---:|---:|---:|---:|---:|");
    for study in &studies {
        let proposal = study.proposal();
        let here = study.ranking.at_threshold(proposal.min);
        let best = study.ranking.best_f1(Ties::Together);
        println!(
            "| {} | {} | {} | {:.1} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            study.name,
            study.best.len(),
            if proposal.two_groups {
                format!("{:.2}, {:.2}", proposal.low.mean, proposal.high.mean)
            } else {
                "not seen".to_owned()
            },
            proposal.separation,
            proposal.min,
            here.f1,
            best.f1,
            best.threshold,
            best.f1 - here.f1,
        );
    }

    println!("\nMean loss over the sets whose best F1 is above .5:\n");
    let useful: Vec<&Study> =
        studies.iter().filter(|s| s.ranking.best_f1(Ties::Together).f1 > 0.5).collect();
    let lost = |name: &str, choose: &dyn Fn(&Study) -> f64| {
        let losses: Vec<f64> = useful
            .iter()
            .map(|s| {
                let best = s.ranking.best_f1(Ties::Together).f1;
                best - s.ranking.at_threshold(choose(s)).f1
            })
            .collect();
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        println!("| {name} | {mean:.3} | {:.3} |", losses.iter().copied().fold(0.0, f64::max));
    };
    println!("| threshold | mean | worst |\n|---|---:|---:|");
    lost("as proposed", &|study| study.proposal().min);
    lost("always the usual one", &|study| study.usual.unwrap_or(0.65));
    lost("the fit alone", &|study| propose_around(&study.best, None).min);
    for fixed in [0.6, 0.63, 0.65, 0.7] {
        lost(&format!("always {fixed}"), &|_| fixed);
    }

    println!("\nTwo tables, all pairs scored, or only each left row's {NEAREST} nearest:\n");
    println!(
        "| set | proposed from all | lost | from the nearest | lost |\n|---|---:|---:|---:|---:|"
    );
    for study in studies.iter().filter(|s| !s.set.one_table) {
        let best = study.ranking.best_f1(Ties::Together).f1;
        let of = |scores: &[f64]| {
            let min = propose_around(scores, study.usual).min;
            format!("{min:.3} | {:.3}", best - study.ranking.at_threshold(min).f1)
        };
        println!("| {} | {} | {} |", study.name, of(&study.best), of(&study.seen));
    }

    println!("\nThe same tables with one row of each cluster, so without doubles:\n");
    println!(
        "| set | rows | groups | apart | proposed | rows above |\n|---|---:|---|---:|---:|---:|"
    );
    for study in studies.iter().filter(|s| s.set.one_table) {
        let alone = Study::new(study.name.clone(), first_of_each_cluster(&study.set), &measure)?;
        let proposal = alone.proposal();
        println!(
            "| {} | {} | {} | {:.1} | {:.3} | {:.1} % |",
            alone.name,
            alone.best.len(),
            if proposal.two_groups { "seen" } else { "not seen" },
            proposal.separation,
            proposal.min,
            100.0 * proposal.share_above,
        );
    }

    println!("\nF1 of clusters at the proposed threshold:\n");
    println!("| set | pairs alone | components | cohesive | average |");
    println!("|---|---:|---:|---:|---:|");
    for study in studies.iter().filter(|s| s.set.one_table) {
        let min = study.proposal().min;
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} |",
            study.name,
            study.ranking.at_threshold(min).f1,
            study.f1_of_clusters(min, min, Method::Components),
            study.f1_of_clusters(min, min, Method::Cohesive),
            study.f1_of_clusters(min / 2.0, min, Method::AverageLink),
        );
    }
    Ok(())
}

/// How many nearest rows of each left row are looked at.
const NEAREST: usize = 10;

/// For every left row its best score, and for every right row that is among a left row's nearest the best there.
fn best_seen(pairs: &[Pair], rows: usize) -> Vec<f64> {
    let mut left = vec![0.0; rows];
    let mut right: BTreeMap<u32, f64> = BTreeMap::new();
    for row in pairs.chunk_by(|x, y| x.left == y.left) {
        let mut row = row.to_vec();
        row.sort_by(|x, y| y.score.total_cmp(&x.score).then(x.right.cmp(&y.right)));
        left[row[0].left as usize] = row[0].score;
        for pair in row.iter().take(NEAREST) {
            let best = right.entry(pair.right).or_default();
            *best = best.max(pair.score);
        }
    }
    left.extend(right.into_values());
    left
}

/// A table with the columns id, cluster, kind and text, without a header.
fn read_names(path: &Path) -> Result<MatchSet, Box<dyn Error>> {
    let mut set = MatchSet::default();
    set.one_table = true;
    let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for line in BufReader::new(GzDecoder::new(std::fs::File::open(path)?)).lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, cluster, _, text] = fields[..] else { return Err("four columns, please".into()) };
        members.entry(cluster.to_owned()).or_default().push(set.left.len());
        set.left.push(Record::new(id, text));
    }
    for rows in members.values() {
        for (at, &first) in rows.iter().enumerate() {
            set.matches.extend(rows[at + 1..].iter().map(|&second| (first, second)));
        }
    }
    set.total = set.matches.len() as u64;
    Ok(set)
}

/// The rows that match none before them.
fn first_of_each_cluster(set: &MatchSet) -> MatchSet {
    let mut again = vec![false; set.left.len()];
    let mut matches: Vec<&(usize, usize)> = set.matches.iter().collect();
    matches.sort_unstable();
    for &&(_, second) in &matches {
        again[second] = true;
    }
    let left = set.left.iter().zip(&again).filter(|(_, again)| !**again);
    let left = left.map(|(record, _)| record.clone()).collect();
    let mut set = MatchSet::default();
    (set.left, set.one_table) = (left, true);
    set
}
