// The target xsimd; its kernels are in src/xsimd.
#include <tenon/targets/xsimd.ipp>
#include <tenon/targets/xsimd_session.ipp>
#include <tenon/targets/xsimd/chain.ipp>
#include <tenon/targets/xsimd/plan.ipp>
#include <tenon/targets/xsimd/planner.ipp>
#include <tenon/targets/xsimd/planner_steps.ipp>
#include <tenon/targets/xsimd/rules.ipp>
#include <tenon/targets/xsimd/steps.ipp>
